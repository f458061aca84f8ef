"""What the program's words and options must answer: the tables that command_line_test.py runs.

A case is (arguments, standard input, changes to the environment, exit code, pattern). The pattern is
a regular expression that standard output and standard error together must match; `None` stands for
nothing at all. The names of `FILES` stand for scripts with those texts.

    (["-c", "print(6 * 7)"], "", {}, 0, r"^42$")

Each subject has a file.
"""

from . import environment, ir, kernel, manual, repl, scripts, stages

SCRIPT = """import torch
@torch.compile
def twice(x):
    return x * 2
def unused():
    pass
twice(torch.ones(3))
"""

# A forward whose outputs carry a compiled backward.
TRAINED = """import torch
w = torch.ones(3, requires_grad=True)
@torch.compile
def cost(x):
    return (x * w).exp().sum()
cost(torch.ones(3)).backward()
"""

# A step whose gradients are taken inside.
STEPPED = """import torch
w = torch.ones(3, requires_grad=True)
@torch.compile
def step(x):
    loss = (x * w).exp().sum()
    loss.backward()
    return loss
step(torch.ones(3))
"""

# A break, a second entry, a module, and a function that nothing compiled.
REGIONS = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, entered):
        return torch.tanh(self.inner(entered))

@torch.compile
def branches(x):
    y = x + 1
    if y.sum() > 0:
        y = y * 2
    return y

def plain(x):
    return x - 1

net = torch.compile(Net())
with torch.no_grad():
    net(torch.ones(3, 2))
branches(torch.ones(3)), branches(torch.ones(4)), plain(torch.ones(3))
"""

# Regions of library calls alone.
CALLS = """import torch
@torch.compile
def product(x):
    return torch.relu(x @ x + 1)

@torch.compile
def wide(x):
    return torch.bmm(x, x) + torch.bmm(x, x.mT)

@torch.compile
def convolved(x, w):
    return torch.nn.functional.conv2d(x, w)

@torch.compile
def ordered(x):
    return torch.sort(x)

@torch.compile
def turned(x):
    return x.T

@torch.compile(dynamic=True)
def varying(x):
    return x @ x

product(torch.ones(4, 4)), wide(torch.ones(2, 40, 40)), varying(torch.ones(5, 5))
convolved(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2))
ordered(torch.ones(4)), turned(torch.ones(3, 4))
"""

# Three statements that are wrong, among others that are not; an `else` that has lost its `if`.
BROKEN = """x = = 1
def fine():
    y = (2
    return y

print "z"
if x:
    pass
"""

CASES = [
    case
    for subject in (environment, ir, kernel, manual, stages, repl, scripts)
    for case in subject.CASES
]

# Names that are none in C++, and a sum that the processor does in blocks.
NAMED = """import torch


@torch.compile
def größe(名前, β, __w):
    return (名前 * β + __w).sum()


print(größe(torch.ones(300, 1000), torch.ones(1000), torch.ones(1000)))
"""

FILES = {
    "SCRIPT": SCRIPT,
    "TRAINED": TRAINED,
    "STEPPED": STEPPED,
    "REGIONS": REGIONS,
    "CALLS": CALLS,
    "PLAIN": "x = 1\n",
    "BROKEN": BROKEN,
    "NAMED": NAMED,
    "CONNECTION": kernel.CONNECTION,
    "MISTAKEN": "x = 1\n:graph zz\nx = 2\n",
    "LEAVES": "x = 3\nexit(x)\n",
    "REPORTS": "import glint\nglint.report(len, [1], __file__)\n",
}

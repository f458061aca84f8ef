"""What the program's words and options must answer: the table that command_line_test.py runs.

A case is (arguments, standard input, changes to the environment, exit code, pattern). The pattern is
a regular expression that standard output and standard error together must match; `None` stands for
nothing at all. The names of `FILES` stand for scripts with those texts.

    (["-c", "print(6 * 7)"], "", {}, 0, r"^42$")
"""

import signal

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

# Three statements that are wrong, among others that are not; an `else` that has lost its `if`.
BROKEN = """x = = 1
def fine():
    y = (2
    return y

print "z"
if x:
    pass
"""

ALIASES = """import torch
class Shift:
    def by_one(self, x): return x + 1

def plain(x): return x - 1

shift, other = Shift(), torch.compile(plain)
shifted = torch.compile(shift.by_one)(torch.ones(2)); shifted = other(torch.ones(2))
:graph shift.by_one
:graph other
:graph by_one
:graph neither
"""

# Every command with right and wrong arguments, and what it answers, in order.
COMMANDS = """import torch
:graph
def f(x, k=1): return x * k

:graph f
g = torch.compile(f); y = g(torch.ones(3))
:graph --table g
:graph g --dot
:graph --nosuch g
:time g extra words
:kernels gg
:why now
:mode fast
:mode compiled extra
:backend gpu
:doc nosuchoperator
:help graph
:help tim
:help nosuch
?
:
:grpah
:g
:explain g
:bench g(torch.ones(3), k=nosuch)
:graph g(torch.ones(2, 2, 2), 3, 4)
:diverge nosuch
:ast f
:program torch.relu
:backend eager
y = g(torch.ones(3))
:kernels g
:breaks g
"""
ANSWERS = (
    r"(?s)\A"
    + ".*?".join(
        [
            r"no graph yet; call a function under torch.compile first\n",
            r"no graph of `f` yet; call it under torch.compile first\n",
            r"opcode ",
            r"digraph f \{",
            r"`:graph` has no option `--nosuch`; usage: :graph \[--table\|--dot\|--joint\|--svg FILE\] \[F\]\n",
            r"usage: :time \[F\]\n",
            r"nothing is called `gg` here; did you mean `g`\?\n",
            r"usage: :why\n",
            r"no mode is called `fast`; a mode is `eager` or `compiled`\n",
            r"usage: :mode \[eager\|compiled\]\n",
            r"no backend is called `gpu`; there are cpu, interp, aot_eager, eager\n",
            r"nothing in the manual is called `nosuchoperator`\n",
            r":graph \[--table\|--dot\|--joint\|--svg FILE\] \[F\]\n\n  .*  --table  ",
            r":time \[F\]\n",
            r"no command is called `:nosuch`; :help lists them\n",
            r"a name goes with `\?`, as in `\?print`: how it is called and what it does\n",
            r"a command follows `:`, as in `:graph`; :help lists them\n",
            r"no command is called `:grpah`; :help lists them; did you mean `graph`\?\n",
            r"`:g` may be `:graph`, `:guards`\n",
            r"usage: :explain CALL, as in `:explain f\(x\)`\n",
            r"nothing is called `nosuch` here\n",
            r"FunctionDefinition f ",
            r"`torch.relu` is no function of the script\n",
            r"eager\nno kernels of `f`: the backend that it was compiled for makes none\n",
            # Of what stands around a command's call nothing is told.
            r"no breaks of `f`: no region ended early\n"
            r"Traceback \(most recent call last\):\n"
            r'  File "<\w+>", line 1, in <module>\n    .*nosuch.*\n +\^{6}\n'
            r"NameError: name 'nosuch' is not defined\n",
            r"TypeError: f\(\) takes from 1 to 2 positional arguments but 3 were given\n",
        ]
    )
    + r"\Z"
)

ROW_SUM = """kernel row_sum(%x: f32[s0, 8], %out: f32[s0])   from %sum
   0  parallel i in 0..s0 {
   1    acc = reduction sum : f32   %sum
   2    reduce j in 0..8 {
   3      a = load %x[i, j]         %sum
   4      acc += a                  %sum
        }
   5    store %out[i] = acc         %sum
      }

schedule f(%x: f32[s0, 8]) -> f32[s0] {
  slot 0   4*s0 bytes, output
  %out = tensor f32[s0] in slot 0
  launch row_sum(%x, %out)
  return %out
}
"""

LOOK_UP = """kernel look_up(%x: f32[3], %n: i64[4], %out: f32[4])   from %take
  parallel i in 0..4 {
    n = load %n[i]              %take
    m = add n, 2                %take
    a = load %x[m]              %take
    store %out[i] = a           %take
  }

schedule f(%x: f32[3], %n: i64[4]) -> f32[4] {
  slot 0   16 bytes, output
  %out = tensor f32[4] in slot 0
  launch look_up(%x, %n, %out)
  return %out
}
"""

SIZES = """graph f(%x: f32[s0], %y: f32[s1], %n: i64[5]) -> f32[5] {
  where (s0 % 6) == 0, s1 == s0
  %add  = add %x, %y                     : f32[s1]
  %take = index_select %add, 0, %n       : f32[5]
  %rand = rand_like %take                : f32[5]
  %sum  = add %take, %rand               : f32[5]
  return %sum
}
"""

JOINT_GRAPH = """graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %y = exp %x : f32[8]
  %g = multiply %t, %y : f32[8]
  return %y, %g
}
"""

FAILS_WHOLE = """import torch
f = torch.compile(lambda x: x + 1, fullgraph=True)
f(torch.ones(2))
"""

TOO_OFTEN = """import torch
torch._dynamo.config.recompile_limit = 2
@torch.compile(dynamic=False)
def f(x): return x + 1
@torch.compile(dynamic=False)
def g(x): return x - 1
for n in range(2, 9): f(torch.ones(n)); g(torch.ones(n))
@torch.compile(dynamic=False, fullgraph=True)
def h(x): return x - 1
for n in range(2, 9): h(torch.ones(n))
"""

UNASKED = """import torch
torch._dynamo.config.recompile_limit = 2
def f(x, name): return x + len(name)
for n in range(2, 9): f(torch.ones(2), "n" * n)
print(f(torch.ones(2), ""))
"""

WITH_EFFECTS = """import torch
calls = 0
def f(x):
    global calls
    calls += 1
    print("in f")
    return x + 1

:bench f(torch.ones(3))
"few" if calls < 30 else calls
"""

CASES = [
    (
        ["-c", FAILS_WHOLE],
        "",
        {"GLINT_FAIL": "link"},
        1,
        r"BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: link: made to fail",
    ),
    (["-c", FAILS_WHOLE], "", {"GLINT_FAIL": "simplify"}, 1, r"BackendCompilerFailed: backend='ind"),
    (["-c", FAILS_WHOLE], "", {"GLINT_FAIL": "capture"}, 1, r"InternalTorchDynamoError: capture: m"),
    (
        ["-c", TOO_OFTEN],
        "",
        {},
        1,
        r"(?s)\Aglint: FB005 `f` was compiled 2 times.*glint: FB005 `g` was compiled 2 times"
        r"(?!.*FB005).*FailOnRecompileLimitHit: Hard failure due to fullgraph=True",
    ),
    (["--compile", "-c", UNASKED], "", {}, 0, r"\Atensor\(\[1\., 1\.\]\)\n\Z"),
    (
        ["-i", "-q"],
        WITH_EFFECTS,
        {},
        0,
        r"(?s)\Af\(torch.ones\(3\)\)\n(?!.*in f).*a call prints or changes what lies outside: 3 of "
        r"each.*'few'\n\Z",
    ),
    (["ir", "--run", "-"], ROW_SUM, {}, 0, r"\A== interp\ntensor\(\[ 7\., 23\., 39\., 55\.\]\)\n== cpu\n"),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("0..8", "0..9"),
        {},
        1,
        r"-:5:11: kernel row_sum, statement 3: index 1 of `%x` reaches 8, its size is 8\n    +3  ",
    ),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("[i, j]", "[j, i]"),
        {},
        1,
        r"-:5:11: kernel row_sum, statement 3: index 0 of `%x` reaches 7, its size is 4\n",
    ),
    (
        ["ir", "--run", "-"],
        LOOK_UP,
        {},
        1,
        r"-:5:5: kernel look_up, statement 3: index 3 of `%x` is not within 0..3\n    +a = load",
    ),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("(%x: f32[s0, 8]) ->", "(%x: f32[s0, 7]) ->"),
        {},
        1,
        r"`%x` has 28 elements, `row_sum` takes 32|`%x` has 7\*s0 elements, `row_sum` takes 8\*s0",
    ),
    (["ir", "--run", "-"], SIZES, {}, 0, r"(?s)\A== interp\n(tensor.*)== cpu\n\1\Z"),
    (
        ["ir", "-"],
        SIZES.replace("(s0 % 6) == 0", "s0 = 4, (s0 % 6) == 0"),
        {},
        1,
        r"no sizes fulfil `where s0 = 4, \(s0 % 6\) == 0, s1 == s0`\n",
    ),
    (
        ["ir", "--passes", "decompose,fuse,order,lower", "-"],
        SIZES.replace("rand_like", "sin"),
        {},
        0,
        r"(?s)\A== graph f\ngraph f.*\n  where .*\n== kernels f\nkernel .*schedule f",
    ),
    (
        ["ir", "-"],
        SIZES + ROW_SUM,
        {},
        0,
        r"(?s)\A== graph\ngraph f.*\n== kernels\nkernel row_sum.*schedule f",
    ),
    (["ir", "--list-passes"], "", {}, 0, r"(?s)decompose .*fuse .*plan_buffers "),
    (["ir"], "", {}, 2, r"usage: glint ir"),
    (
        ["ir", "--partition", "1,1", "-"],
        JOINT_GRAPH,
        {},
        0,
        r"(?s)\A== graph f_forward\n.*return %y\n.*== graph f_backward\n.*"
        r"== partition f\nnot read +%x .*\nsaved +%y .* an output: alive anyway; for %g\n",
    ),
    (["ir", "--partition", "2,1", "-"], JOINT_GRAPH, {}, 1, r"-: %g, an output of the forward, dep"),
    (["help", "show"], "", {}, 0, r"\Ausage: glint show "),
    (["help", "shoe"], "", {}, 2, r"\Aglint: no word is called `shoe`; there are run, show, "),
    (
        ["--help"],
        "",
        {},
        0,
        r"(?s)glint show .*--compile .*kernels .*GLINT_FAIL .*Exit codes:\n  0 ",
    ),
    (["doc", "fuse"], "", {}, 0, r"fuse, a pass"),
    (["doc", "bench"], "", {}, 0, r"^usage: glint bench "),
    (["doc", ":bench"], "", {}, 0, r"^:bench CALL\n"),
    (["doc", "glint", "show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "glint show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "torch.compile"], "", {}, 0, r"^compile\(model=None, \*, fullgraph=False"),
    (["doc", "nn.Linear"], "", {}, 0, r"^class Linear\(Module\)\nLinear\.__init__\(self, in_fe"),
    (["doc", "Linear"], "", {}, 0, r"^class Linear\(Module\)\n"),
    (["-c", "help(len); help('torch.relu')"], "", {}, 0, r"^len\(obj, /\)\n[\s\S]*\nrelu\("),
    (["doc", ":ast"], "", {}, 0, r"^:ast \[F\]\n"),
    (["--backend", "interp", "SCRIPT"], "", {}, 0, None),
    (["--backend", "nothing", "SCRIPT"], "", {}, 2, r"no backend is called `nothing`"),
    (
        ["SCRIPT"],
        "",
        {"GLINT_BACKEND": "nothing"},
        2,
        r"GLINT_BACKEND is `nothing`; it can be cpu, interp, ",
    ),
    (
        ["show", "SCRIPT"],
        "",
        {"GLINT_BACKEND": "nothing"},
        2,
        r"GLINT_BACKEND is `nothing`; it can be cpu, interp, ",
    ),
    (["show", "SCRIPT", "twice"], "", {}, 0, r"(?s)== tokens .*== asm twice"),
    (["show", "SCRIPT", "unused"], "", {}, 0, r"(?s)== tokens .*== program unused"),
    (
        ["show", "--joint", "TRAINED", "cost"],
        "",
        {},
        0,
        r"(?s)\A== graph cost.joint\ngraph .*\nforward:\n.* %sum .*\nbackward:\n.*\n}\n\Z",
    ),
    (
        ["show", "--joint", "SCRIPT", "twice"],
        "",
        {},
        1,
        r"no backward was cut off: no output carries one",
    ),
    (
        ["show", "SCRIPT", "thrice"],
        "",
        {},
        1,
        r"\Aglint: no function is called `thrice`; compiled functions: `twice`; "
        r"did you mean `twice`\?\n\Z",
    ),
    (
        ["-q", "-i"],
        ALIASES,
        {},
        0,
        r"(?s)\Agraph by_one.*graph plain.*graph by_one.*nothing is called `neither`",
    ),
    (["-q", "-i"], COMMANDS, {}, 0, ANSWERS),
    (
        ["show", "--stage", "graph,guards", "REGIONS", "branches"],
        "",
        {},
        0,
        r"(?s)\A== guards branches\nregion branches\n.*\n== graph branches\n"
        r"graph branches\(%x: f32\[3\]\)"
        r".*== graph branches from 14:12\n.*== graph branches, entry 2\n.*%x: f32\[s0\]"
        r".*== graph branches from 14:12, entry 2\n",
    ),
    (
        ["show", "--stage", "ast,tokens", "REGIONS", "Net.forward"],
        "",
        {},
        0,
        r"(?s)\A== tokens Net.forward\nDEF .*\n== ast Net.forward\n"
        r"FunctionDefinition forward (?!.*branches)",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "Net.forward"],
        "",
        {},
        0,
        r"(?s)\A== graph [^\n]*\ngraph forward\(%entered: .* in linear.py\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS"],
        "",
        {},
        0,
        r"(?s)== graph Net.forward\n.*== graph branches\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "plain"],
        "",
        {},
        1,
        r"\Aglint: `plain` has no compiled region; "
        r"compiled functions: `Net.forward`, `branches`\n\Z",
    ),
    (
        ["show", "--stage", "graph", "--compile", "REGIONS", "plain"],
        "",
        {},
        0,
        r"\A== graph plain\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "plain"],
        "",
        {"GLINT_COMPILE": "1"},
        0,
        r"\A== graph plain\n",
    ),
    (
        ["show", "--stage", "llvm", "--backend", "interp", "REGIONS", "branches"],
        "",
        {},
        1,
        r"\Aglint: `branches` was compiled, for a backend that makes none of these stages\n\Z",
    ),
    (
        ["--show", "graph", "REGIONS"],
        "",
        {},
        0,
        r"(?s)\A== graph Net.forward\ngraph .*== graph branches from 14:12\n",
    ),
    (
        ["bench", "--function", "branch", "REGIONS"],
        "",
        {},
        1,
        r"\Aglint: nothing to compare: no function is called `branch`; "
        r"compiled functions: `Net.forward`, `branches`; did you mean `branches`\?\n\Z",
    ),
    (["bench", "--function", "forward", "REGIONS"], "", {}, 0, r"\ANet.forward\n  first call "),
    (
        ["bench", "--compile", "--function", "plain", "REGIONS"],
        "",
        {},
        0,
        r"\Aplain\n  first call ",
    ),
    (
        ["bench", "PLAIN"],
        "",
        {},
        1,
        r"\Aglint: nothing to compare: nothing was compiled; the script compiled no",
    ),
    (
        ["doc"],
        "",
        {},
        0,
        r"(?s)\Aoperators\n  unary +neg abs .*\npasses .*\ncommands +:graph .*\nvariables ",
    ),
    (["doc", "gelo"], "", {}, 1, r"nothing in the manual is called `gelo`; did you mean `gelu`"),
    (["doc", "GLINT_BACKEND"], "", {}, 0, r"one of: cpu interp aot_eager eager\n"),
    (
        ["SCRIPT"],
        "",
        {"GLINT_FAIL": "nonsense"},
        2,
        r"\Aglint: GLINT_FAIL is `nonsense`; it can be capture, ",
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_PATH": "/nowhere:.:/neither"},
        0,
        r"\Aglint: GLINT_PATH names `/nowhere`, which is no folder\n"
        r"glint: GLINT_PATH names `/neither`, which .*\n\Z",
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_CACHE": "/dev/null/cache"},
        0,
        r"\Aglint: GLINT_CACHE is `/dev/null/cache`, where nothing can be written\n\Z",
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_HISTORY": "/dev/null/x/history"},
        0,
        r"\Aglint: GLINT_HISTORY is `.*cannot be written\n\Z",
    ),
    (
        ["SCRIPT"],
        "",
        {"GLINT_CACHE": "/dev/null/cache", "GLINT_FAIL": "fuse"},
        0,
        r"(?s)\Aglint: GLINT_CACHE is .*\nglint: FB001 `twice` runs eagerly: .*; no repro: "
        r"`/dev/null/cache` cannot be written\n\Z",
    ),
    (["-i"], "1 + 1\nexit(3)\n2 + 2\n", {}, 3, r"\A2\n\Z"),
    # Standard input that is no terminal is a script: whole, with a script's exit codes.
    ([], "1 + 1\nprint(__name__)\nexit(3)\n", {}, 3, r"\A__main__\n\Z"),
    (["-q"], "def f():\n  return 1\n\n  return 2\nprint(f())\n", {}, 0, r"\A1\n\Z"),
    (
        [],
        "import sys\nprint(sys.argv)\n1 / 0\nprint(2)",
        {},
        1,
        r"(?s)\A\[''\]\n.*\"<stdin>\", line 3",
    ),
    ([], "", {}, 0, None),
    (["-i", "-c", "a = 5"], "a\nquit()\n", {}, 0, r"\A5\n\Z"),
    # What the language leaves out is refused with what to write instead; other names as by CPython.
    (
        ["-c", "import re"],
        "",
        {},
        1,
        r"No module named 're'; it is not part of the language: use the methods of str\n\Z",
    ),
    (
        ["-c", "import concurrent.futures"],
        "",
        {},
        1,
        r"No module named 'concurrent'; it is not part of the language: a script runs in one thread",
    ),
    (["-c", "import nosuch"], "", {}, 1, r"No module named 'nosuch'\n\Z"),
    (["-c", "import torch.distributed"], "", {}, 1, r"No module named .torch.distributed.; it is not there yet"),
    (["-c", "from torch import distributed"], "", {}, 1, r"No module named .torch.distributed.; it is not"),
    (
        ["-c", "import torch\ntorch.distributed.init"],
        "",
        {},
        1,
        r"module .torch. has no attribute .distributed.; it is not there yet",
    ),
    (["-i"], "1/0\nprint('end')\n", {}, 0, r"^end\n[\s\S]*ZeroDivisionError"),
    (["-i", "-c", "raise SystemExit(3)"], "print(5)\n", {}, 0, r"5\n[\s\S]*SystemExit: 3\n"),
    (["-i"], "raise SystemExit(7)\n", {}, 7, None),
    (
        ["BROKEN"],
        "",
        {},
        1,
        r"line 1\n    x = = 1\n        \^\nSyntaxError: invalid syntax\n"
        r"  File \".*\", line 3\n    y = \(2\n        \^\nSyntaxError: '\(' was never closed\n"
        r"  File \".*\", line 6\n    print \"z\"\n    \^{9}\nSyntaxError: Missing parenth.*\n\Z",
    ),
    (
        ["-c", "import sys; print('__file__' in globals(), sys.path[0] == '', sys.executable[0])"],
        "",
        {},
        0,
        r"^False True /\n\Z",
    ),
    (["-c", "raise KeyboardInterrupt"], "", {}, -signal.SIGINT, r"\nKeyboardInterrupt\n\Z"),
]

FILES = {
    "SCRIPT": SCRIPT,
    "TRAINED": TRAINED,
    "REGIONS": REGIONS,
    "PLAIN": "x = 1\n",
    "BROKEN": BROKEN,
}

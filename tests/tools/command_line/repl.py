"""The prompt: commands, right and wrong, and how a session ends."""

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
            r"no backend is called `gpu`; there are cpu, interp, cuda, aot_eager, eager\n",
            r"nothing in the manual is called `nosuchoperator`\n",
            r":graph \[--table\|--dot\|--joint\|--svg FILE\] \[F\]\n\n  .*  --table  ",
            r":time \[F\]\n",
            r"no command is called `:nosuch`; :help lists them\n",
            r"a name goes with `\?`, as in `\?print`: how it is called and what it does\n",
            r"a command follows `:`, as in `:graph`; :help lists them\n",
            r"no command is called `:grpah`; :help lists them; did you mean `graph`\?\n",
            r"`:g` may be `:graph`, `:guards`, `:gpu`\n",
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

# A region that `:explain` ran last; a miss behind a break; a module that capture is the first to use.
LAST_RUNS = """\
import torch
def f(x):
    return torch.relu(x * 2).sum(1)

:mode compiled
f(torch.ones(2, 3))
:explain f(torch.ones(4, 3))
:time f
"""
BEHIND_A_BREAK = """\
import torch
@torch.compile
def f(x):
    y = x * 2
    if y.sum() > 0:
        return torch.softmax(y, 0)
    return y - 1

f(torch.ones(3))
f(torch.ones(5))
:why
"""
FIRST_USE = """\
import torch
@torch.compile
def f(x): return torch.nn.functional.layer_norm(x, (4,))

f(torch.ones(2, 4))
:time
"""

# The session itself: its variables, what was entered, scripts. `{folder}` is a folder of its own.
SESSION = """\
n = 20
n * 2
_ + 1
_2 + _3
??_
:vars
:inputs
:save {folder}/saved.py
:load {folder}/saved.py
:load {folder}
:save {folder}/no/such.py
:load
:run {folder}/saved.py 'a b' c
:vars nosuch
:reset
:vars
:load {folder}/saved.py
n
:re
"""
SESSION_ANSWERS = (
    r"(?s)\A40\n41\n81\nint: 81\n\nit is not written in Python: there is no text of it\n"
    r"name  type  shape  dtype  bytes  value\n----  ----  -----  -----  -----  -----\n"
    r"n     int +20\n"
    r"\[1\]  n = 20\n\[2\]  n \* 2\n\[3\]  _ \+ 1\n\[4\]  _2 \+ _3\n"
    r"4 entries are in `.*saved.py`\n"
    r"can't open file '[^']*': it is a folder\n"
    r"`.*such.py` cannot be written: No such file or directory\n"
    r"usage: :load FILE\nno variable begins with `nosuch`\n"
    r"1 variable is gone, and all that was compiled\nthere are no variables yet\n"
    r"20\n`:re` may be `:report`, `:reset`\n\Z"
)

# An empty line is no entry, blank lines of a string are shown, `:reset` begins anew.
NUMBERS = """\


1
_1
text = '''a

  b'''
3
4
5
6
7
8
9
:inputs
def f(x): return x

:watch torch
:watch len
:watch f
:reset
:watch
2
_1
:RUN x
"""
NUMBERS_ANSWERS = (
    r"\A1\n1\n3\n4\n5\n6\n7\n8\n9\n \[1\]  1\n \[2\]  _1\n \[3\]  text = '''a\n\n        b'''\n \[4\]  3\n"
    r"( \[\d\]  \d\n)+\[10\]  9\nnothing is called `torch` here\n`len` is no function: nothing compiles it\n"
    r"f   graph\n2 variables are gone, and all that was compiled\nnothing is watched\n2\n2\n"
    r"no command is called `:RUN`; :help lists them; did you mean `run`\?\n\Z"
)

# A command that cannot be run ends a file that is loaded, and `exit` the session.
LOADED = """\
:load {folder}/mistaken.py
x
:load {folder}/leaves.py
'never'
"""
LOADED_ANSWERS = (
    r"\Anothing is called `zz` here\nthe rest of `.*mistaken.py` is left out, behind line 2\n1\n\Z"
)

# What nothing writes over: the session's script, and what no `:save` of it wrote.
TARGETS = """\
:report {folder}/script.py
:profile twice(torch.ones(3)) {folder}/script.py
:graph --svg {folder}/script.py twice
:save --force {folder}/script.py
:report {folder}/plain.py
:save {folder}/plain.py
:save {folder}/new.py
:save {folder}/new.py
:run {folder}/new.py
:save {folder}/new.py
"""
TARGETS_ANSWERS = (
    r"(?s)\A(`[^`]*/script.py` is a script of this session: it would be replaced\n){4}"
    r"`[^`]*/plain.py` is a script: it would be replaced\n"
    r"`[^`]*/plain.py` is there already; `:save --force [^`]*/plain.py` replaces it\n"
    r"(0 entries are in `[^`]*/new.py`\n){3}\Z"
)

STEPS = """\
import torch
@torch.compile
def f(x):
    return torch.relu(x * 2).sum()

:step
f(torch.tensor([1.0, -2.0]))
:step
:step f --passes
:step --kernels f
:step multiply
:step nosuch
:step --at x f
:step --at 99999999999999999999 f
:step f(torch.tensor([3.0, 4.0]))
"""
STEP_ANSWERS = (
    r"(?s)\Anothing compiled has run yet; .*"
    r"== graph f\n%mul  = multiply %x, 2 .*\n    reads  %x  float32\[2\]  1, -2\n"
    r"    gives  float32\[2\]  2, -4\n.*\nreturn %sum\n"
    r".*== passes of f\ncapture .*\ndecompose .*    \+   %relu = clamp_min.*"
    r"== kernel multiply_relu_sum\n +0  acc = .*load %x\[i\] +-2 +i = 1\n.*"
    r"== kernel multiply_relu_sum\n.*no function and no kernel that ran last is called `nosuch`\n"
    r"`--at` takes a number, not `x`\n`--at` takes a number, not `9+`\ntensor\(14\.\)\n== graph f\n.*  3, 4\n"
)

# Two regions, of which one has no loop around it all.
# A convolution of the processor is one step: written out, its windows would be gathered one by one.
CONVOLVED = """import torch
import torch.nn.functional as F
f = torch.compile(lambda x, w: F.conv2d(x, w, padding=1).relu())
y = f(torch.zeros(2, 3, 5, 5), torch.zeros(4, 3, 3, 3))
:kernels f
"""
STEP_REGIONS = """\
import torch
@torch.compile
def g(x, n):
    if x.sum() > 0:
        return (x / n).exp()
    return x

g(torch.tensor([1.0, 2.0, 3.0]), 2)
:step --graph g
:step --kernels g
:step --at 2 g
:step --at 9 g
:step --at -1 g
:step --at 1 --at 2 g
:step --graph --kernels g
:step --passes --from 2 g
:step --graph --at 1 g
"""
STEP_REGIONS_ANSWERS = (
    r"(?s)\Atensor.*    gives  bool\[\]  True\n.*"
    r"== kernel sum_greater\n.*== kernel divide_exp, i = 0\n.*"
    r"== kernel sum_greater\n.*\nall of it: no loop [^\n]*\n.*== kernel divide_exp, i = 2\n.*"
    r"== kernel sum_greater\n.*\nall of it: .*== kernel divide_exp, i = 9\n.*does not come to 9\n"
    r"`--at` takes a number from 0 on, not -1\n"
    r"`--at` is there twice; usage: :step .*\n`--graph` or `--kernels`, not both\n"
    r"`--from` goes with `--gpu`, not with `--passes`\n"
    r"`--at` goes with `--gpu` and `--kernels`, not with `--graph`\n\Z"
)

WATCHED = """\
import torch
@torch.compile
def f(x): return x * 2

:watch
:watch f
:watch f guards
:watch f ast
:watch f graph kernels
:watch g
f(torch.ones(3))
f(torch.ones(3))
f(torch.ones(4))
:watch off f
f(torch.ones(2, 2))
"""
WATCH_ANSWERS = (
    r"(?s)\Anothing is watched\nf   graph\nf   graph\nf   guards\n"
    r"no stage that a compile makes is called `ast`; there are breaks, [^\n]*\n"
    r"usage: :watch \[F \[STAGE\]\|off \[F\]\]\n"
    r"nothing is called `g` here\n"
    r"tensor\(\[2., 2., 2.\]\)\n== graph f\n.*== guards f\n.*\n"
    r"tensor\(\[2., 2., 2.\]\)\ntensor\(\[2., 2., 2., 2.\]\)\n== graph f, entry 2\n"
    r".*== guards f, entry 2\n.*2 stages are no longer watched\n"
    r"tensor\(\[\[2., 2.\],\n +\[2., 2.\]\]\)\n\Z"
)

CASES = [
    (["-iq"], WATCHED, {}, 0, WATCH_ANSWERS),
    (["-iq"], STEPS, {}, 0, STEP_ANSWERS),
    (["-iq"], CONVOLVED, {}, 0, r"(?s)call %convolution = convolution %x, %w.*launch relu\("),
    (["-iq"], STEP_REGIONS, {}, 0, STEP_REGIONS_ANSWERS),
    (["-iq"], NUMBERS, {}, 0, NUMBERS_ANSWERS),
    (["-iq"], LOADED, {}, 3, LOADED_ANSWERS),
    (["-iq", "SCRIPT"], TARGETS, {}, 0, TARGETS_ANSWERS),
    (["-iq"], SESSION, {}, 0, SESSION_ANSWERS),
    (["-iq"], LAST_RUNS, {}, 0, r"(?s)\A(?!.*once more.*once more).*f: its last call once more"),
    (["-iq"], BEHIND_A_BREAK, {}, 0, r"entry 1 of f from \d+:\d+ failed: g0 y was"),
    (["-iq"], "import torch\n:bench torch.relu(torch.ones(3))\n", {}, 0, r"put the call into one"),
    (["-iq"], FIRST_USE, {}, 0, r"\n  imports  +[\d.]+ ms\n  capture  +[\d.]+ ms\n"),
    (
        ["-i", "-q"],
        WITH_EFFECTS,
        {},
        0,
        r"(?s)\Af\(torch.ones\(3\)\)\n(?!.*in f).*a call prints or changes what lies outside: 3 of "
        r"each.*'few'\n\Z",
    ),
    (
        ["-q", "-i"],
        ALIASES,
        {},
        0,
        r"(?s)\Agraph by_one.*graph plain.*graph by_one.*nothing is called `neither`",
    ),
    (["-q", "-i"], COMMANDS, {}, 0, ANSWERS),
    (["--compile", "-iq"], "1 + 1\n", {}, 0, r"\A2\n\Z"),
    (["-iq"], COMMANDS, {}, 0, ANSWERS),
    (["-qc", "print(3)"], "", {}, 0, r"\A3\n\Z"),
    (
        ["-i"],
        "import torch\nkept = 41\ntorch.compile(lambda x: x * 2)(torch.ones(3))\nkept + 1\n",
        {"GLINT_FAIL": "launch"},
        0,
        r"(?s)\A42\n.*RuntimeError: the kernel `\w+` crashed \(SIGSEGV at 0x10\)",
    ),
    (["-ix"], "", {}, 2, r"unknown option `-ix`"),
    (["-i"], "1 + 1\nexit(3)\n2 + 2\n", {}, 3, r"\A2\n\Z"),
    (["-i", "-c", "a = 5"], "a\nquit()\n", {}, 0, r"\A5\n\Z"),
    (["-i"], "1/0\nprint('end')\n", {}, 0, r"^end\n[\s\S]*ZeroDivisionError"),
    (["-i", "-c", "raise SystemExit(3)"], "print(5)\n", {}, 0, r"5\n[\s\S]*SystemExit: 3\n"),
    (["-i"], "raise SystemExit(7)\n", {}, 7, None),
]

"""How the program ends where the world outside decides it: Ctrl-C, and output that nobody takes.

    process_end_test.py --glint build/release/glint

Exit codes and the end of standard error are those of CPython.
"""

import argparse
import itertools
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time


def dies_of_interrupt(glint):
    """Whether a script that runs for ever dies of Ctrl-C, with its traceback, as CPython does."""
    run = subprocess.Popen(
        [glint, "-c", "print(1, flush=True)\nwhile True: pass"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    error = run.communicate(timeout=60)[1]
    return run.returncode == -signal.SIGINT and error.endswith("\nKeyboardInterrupt\n")

# What a script writes where nobody takes it: (the script, where it goes, the exit code, the end of
# standard error), as of CPython.
IN_VAIN = [
    ("print(1)", "/dev/full", 120, "OSError: [Errno 28] No space left on device\n"),
    (
        "print(1, flush=True)",
        "/dev/full",
        120,
        "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n"
        "OSError: [Errno 28] No space left on device\n",
    ),
    ("for i in range(100000): print(i)", "|", 1, "BrokenPipeError: [Errno 32] Broken pipe\n"),
    (
        "try:\n    for i in range(100000): print(i)\nexcept BrokenPipeError as e:\n"
        "    import sys\n    print(repr(e), file=sys.stderr)",
        "|",
        0,
        "BrokenPipeError(32, 'Broken pipe')\n",
    ),
    ("import os\nprint(1)\nos._exit(5)", "/dev/null", 5, ""),
]


def writes_in_vain(glint, script, target, code, ending):
    """Whether a script whose output cannot be written ends as CPython ends it."""
    if target == "|":
        reading, writing = os.pipe()
        os.close(reading)
    else:
        writing = os.open(target, os.O_WRONLY)
    run = subprocess.run(
        [glint, "-c", script], stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(writing)
    return run.returncode == code and run.stderr.endswith(ending)


# A script that writes to a standard error that nobody takes: it hears of it, as of CPython.
ERROR_IN_VAIN = """import sys
for write in (sys.stderr.write, lambda text: print(text, end="", file=sys.stderr)):
    try:
        write("one line\\n")
        print("written")
    except OSError as error:
        print(repr(error))
"""


def raises_of_error_in_vain(glint):
    """Whether a script hears that its standard error is lost, and ends as it would else."""
    with open("/dev/full", "w") as full:
        uncaught = subprocess.run([glint, "-c", "1/0"], stderr=full, timeout=60)
        run = subprocess.run([glint, "-c", ERROR_IN_VAIN], stdout=subprocess.PIPE, stderr=full, text=True, timeout=60)
    heard = run.stdout == 2 * "OSError(28, 'No space left on device')\n"
    return heard and run.returncode == 0 and uncaught.returncode == 1


# What writes for as long as it may, in a script and at the REPL.
ENDLESS = "for i in range(10**9): print('line', i)\n"


def ends_without_terminal(glint, arguments, typed):
    """Whether what writes to a terminal that goes away, and hears of it by the write alone, ends."""
    terminal, other_end = pty.openpty()
    run = subprocess.Popen(
        [glint, *arguments],
        stdin=other_end,
        stdout=other_end,
        stderr=subprocess.PIPE,
        env=dict(os.environ, TERM="dumb"),
    )
    os.close(other_end)
    if typed:
        os.write(terminal, (ENDLESS + "\n").encode())
    shown = b""
    while b"line 0\r\n" not in shown:
        shown += os.read(terminal, 4096)
    os.close(terminal)
    try:
        return b"OSError: [Errno 5] Input/output error\n" in run.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        return False


# NVRTC compiles, where there is one: first for operators, then what the script wrote.
COMPILES_CUDA = (
    "import torch\nfrom glint.cuda import RawKernel\nusable = torch.cuda.is_available()\n"
    "device = 'cuda' if usable else 'cpu'\n{wait}\n"
    "x = torch.ones(4, device=device).sin().sum().sort().values\n"
    "for k in range(10**9):\n"
    "    if usable: RawKernel(f'extern \"C\" __global__ void f() {{ int k = {k}; }}', 'f')"
)

# Scripts that wait for Ctrl-C behind their first line: what they print once it has come.
INTERRUPTED = [
    # Signals meet the matrix library in the middle of its own memory.
    "import torch\ny = torch.randn(1500, 1500)\n{wait}\nwhile True: z = y @ y",
    "import time\n{wait}\ntime.sleep(60)",
    COMPILES_CUDA,
    # A kernel that never ends, on the simulated GPU, and never repeats itself.
    "import torch\nfrom glint.cuda import RawKernel\nusable = torch.cuda.is_available()\n"
    "if usable:\n"
    "    k = RawKernel('extern \"C\" __global__ void k(volatile int* x) { while (*x == 0) ++x[1]; }', 'k')\n"
    "    x = torch.zeros(2, dtype=torch.int32, device='cuda')\n"
    "{wait}\nwhile not usable: pass\nk((2,), (32,), (x,))",
]


def catches_interrupt(glint, script, wait):
    """Whether Ctrl-C, `wait` seconds behind the script's first line, is an exception that it may
    catch, soon, and then goes on."""
    first, _, rest = script.partition("{wait}\n")
    text = f"{first}print(1, flush=True)\ntry:\n    exec({rest!r})\nexcept KeyboardInterrupt:\n"
    text += "    print('caught', flush=True)\nprint('end')"
    with tempfile.TemporaryDirectory() as cache:
        return goes_on(glint, text, wait, dict(os.environ, GLINT_GPU="sim", GLINT_CACHE=cache))


def goes_on(glint, text, wait, environment):
    """Whether the script that prints a line, and is interrupted then, catches it and ends well."""
    run = subprocess.Popen([glint, "-c", text], stdout=subprocess.PIPE, text=True, env=environment)
    run.stdout.readline()
    time.sleep(wait)
    run.send_signal(signal.SIGINT)
    try:
        return run.communicate(timeout=30)[0] == "caught\nend\n" and run.returncode == 0
    except subprocess.TimeoutExpired:
        run.kill()
        return False

# A backward that takes a while to compile, which it does when it first runs.
COMPILED = '''
import torch
@torch.compile
def f(x):
    for i in range(120):
        x = (x * 1.01).sin() + x.cos() * 0.5
    return x.sum()
x = torch.ones(1000, requires_grad=True)
loss = f(x)
print(1, flush=True)
try:
    loss.backward()
except KeyboardInterrupt:
    print("caught", flush=True)
f(x).backward()
print("end")
'''


def ends_well(glint, text, wait, written):
    """Whether a script that is interrupted while it compiles writes that, and ends with 0."""
    pipe = subprocess.PIPE
    with tempfile.TemporaryDirectory() as cache:  # an empty one, so that there is much to compile
        environment = dict(os.environ, GLINT_CACHE=cache)
        run = subprocess.Popen(
            [glint, "-c", text], stdout=pipe, stderr=pipe, text=True, env=environment
        )
        run.stdout.readline()
        time.sleep(wait)
        run.send_signal(signal.SIGINT)
        return run.communicate(timeout=60) == (written, "") and run.returncode == 0


def compiles_again(glint):
    """Whether Ctrl-C while a backward is compiled is no fault of the compiler's."""
    return ends_well(glint, COMPILED, 0, "caught\nend\n")


# It ends while LLVM is still at work for the compile that was interrupted.
LEFT_BEHIND = '''
import torch
@torch.compile
def f(x):
    for i in range(120):
        x = (x * 1.01).sin() + x.cos() * 0.5
    return x.sum()
print(1, flush=True)
try:
    f(torch.ones(1000))
except KeyboardInterrupt:
    print("caught")
'''


def leaves_a_compile(glint):
    """Whether a process ends well, and with all that was printed, beside such a compile."""
    return ends_well(glint, LEFT_BEHIND, 0.1, "caught\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    options = parser.parse_args()
    failed = 0
    for script, target, code, ending in IN_VAIN:
        if not writes_in_vain(options.glint, script, target, code, ending):
            failed += 1
            print(f"not exit code {code} or {ending!r}, written to {target}:\n{script}")
    if not dies_of_interrupt(options.glint):
        failed += 1
        print("a script that is interrupted does not die of SIGINT")
    if not raises_of_error_in_vain(options.glint):
        failed += 1
        print("a script does not hear that its standard error is lost")
    for arguments, typed in ((["-c", ENDLESS], False), (["-q"], True)):
        if not ends_without_terminal(options.glint, arguments, typed):
            failed += 1
            print(f"glint {arguments} does not end when its terminal goes away")
    interrupts = list(itertools.product(INTERRUPTED, [0.02, 0.3, 0.6]))
    # NVRTC's first program begins at one of these moments, however fast the machine is.
    interrupts += [(COMPILES_CUDA, wait) for wait in (0, 0.01, 0.04, 0.08, 0.15)]
    for script, wait in interrupts:
        if not catches_interrupt(options.glint, script, wait):
            failed += 1
            print(f"Ctrl-C is not caught {wait} seconds behind the first line of\n{script}")
    if not compiles_again(options.glint):
        failed += 1
        print("Ctrl-C while a backward is compiled is taken for a fault")
    if not all(leaves_a_compile(options.glint) for _ in range(3)):
        failed += 1
        print("a process that leaves a compile behind does not end well")
    count = 6 + len(IN_VAIN) + len(interrupts)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Starts the REPL on terminals of several kinds: colours, dumb ones, a start-up file, a pager, signals.

    repl_terminal_test.py --glint build/release/glint
"""

import argparse
import fcntl
import os
import re
import resource
import signal
import struct
import sys
import tempfile
import termios
import time

from repl_session_test import CTRL_C, ENTER, Terminal

COLOURED = "\x1b[36m"  # a number's
KEYWORD = "\x1b[1;34m"
RAISED = "mZeroDivisionError\x1b["
VALUE, FAINT, PLAIN = "\x1b[35m", "\x1b[2m", "\x1b[0m"
COMPILED = """\
import torch
double = torch.compile(lambda x: x * 2)
double(torch.ones(3))
"""
# A stage, and what of it is in colours.
STAGES = (
    ("graph", f"{VALUE}%mul{PLAIN} = {KEYWORD}multiply{PLAIN} "),
    ("kernels", f" = {KEYWORD}load{PLAIN} {VALUE}%x{PLAIN}"),
    ("cuda", f"{KEYWORD}const{PLAIN} {KEYWORD}float{PLAIN} "),
    ("llvm", f"{KEYWORD}define{PLAIN} "),
    ("asm", f"{KEYWORD}ret{PLAIN}"),
)
MARGIN = re.compile(re.escape(FAINT) + r"(//|;) +\d+  %mul  [^\x1b]*x \* 2" + re.escape(PLAIN))
STARTUP = """\
import math
def half(x):
    return x / 2
:mode compiled
started = half(5)
1 / 0
started = 'too far'
"""
# A pager that tells how many lines it got.
PAGER = "sh -c 'echo paged: $(grep -c \"\")'"


class Case:
    """What one REPL shows; a claim that does not hold is told and counted."""

    def __init__(self, glint, name, arguments=(), **changes):
        self.name, self.failed = name, 0
        self.terminal = Terminal(glint, arguments, changes)
        self.waits(r">>> ")

    def claims(self, holds, what):
        if holds:
            return
        self.failed += 1
        tail = self.terminal.seen.splitlines()[-12:]
        print(f"{self.name}: {what}; the screen ends with\n" + "\n".join("    " + s for s in tail))

    def waits(self, pattern):
        self.claims(self.terminal.wait(pattern, 15), f"waited for {pattern!r}")

    def enters(self, keys, pattern):
        self.terminal.send(keys + ENTER)
        self.waits(pattern)

    def ends(self):
        status = self.terminal.end()
        self.claims(status == 0, f"ended with {status}")
        return self.failed


def colours(glint):
    failed = 0
    for name, arguments, changes, coloured in (
        ("a terminal has colours", ["--no-pager"], {}, True),
        ("--no-colour", ["--no-colour", "--no-pager"], {}, False),
        ("NO_COLOR", ["--no-pager"], {"NO_COLOR": "1"}, False),
    ):
        case = Case(glint, name, arguments, **changes)
        case.enters("1 + 41", r"\n42\n")
        case.claims((COLOURED in case.terminal.raw) == coloured, "colours")
        case.enters("??nn.Identity", r"\nclass Identity\(Module\):")
        case.claims((KEYWORD + "class" in case.terminal.raw) == coloured, "a definition's colours")
        case.enters("1 / 0", r"\nZeroDivisionError: division by zero\n")
        case.claims((RAISED in case.terminal.raw) == coloured, "a traceback's colours")
        failed += case.ends()
    return failed


def listings(glint):
    """The listings of what is compiled, at the REPL and by `glint show`."""
    failed = 0
    for name, changes, coloured in (
        ("listings have colours", {}, True),
        ("listings with NO_COLOR", {"NO_COLOR": "1"}, False),
    ):
        case = Case(glint, name, ["--no-pager"], **changes)
        case.terminal.send(COMPILED.replace("\n", ENTER))
        case.waits(r"tensor\(\[2\., 2\., 2\.\]\)\n>>> ")
        for stage, colours_of_it in STAGES:
            begin = len(case.terminal.raw)
            case.enters(f":{stage}", r"x \* 2[\s\S]*>>> $")
            shown = case.terminal.raw[begin:]
            case.claims((colours_of_it in shown) == coloured, f"colours of :{stage}")
            if stage in ("cuda", "llvm", "asm"):
                case.claims(bool(MARGIN.search(shown)) == coloured, f"the margin of :{stage}")
        failed += case.ends()
        failed += shown_by_show(glint, changes, coloured)
    return failed


def shown_by_show(glint, changes, coloured):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(COMPILED)
        script.flush()
        terminal = Terminal(glint, ["show", "--stage", "cuda", script.name], changes)
        while terminal.wait(r"[^$]", 15):
            pass
        os.waitpid(terminal.process, 0)
    holds = bool(MARGIN.search(terminal.raw)) == coloured
    if not holds:
        print(f"glint show with {changes}: colours; it shows\n{terminal.seen}")
    return 0 if holds else 1


def dumb(glint):
    case = Case(glint, "a dumb terminal", [], TERM="dumb")
    case.enters("def f(x):" + ENTER + "    return x + 1" + ENTER, r"\.\.\. ")
    case.enters("f(41)", r"\n42\n>>> ")
    case.enters("1 / 0", r"ZeroDivisionError: division by zero\n>>> ")
    case.enters(":help", r":graph[\s\S]*>>> ")
    case.enters(":program f", r"return r0[\s\S]*>>> ")
    case.enters("kept = 6", r">>> ")
    case.terminal.send("dropped" + CTRL_C)
    case.waits(r"\nKeyboardInterrupt\n>>> ")
    case.enters("kept * 7", r"\n42\n>>> ")
    failed = case.ends()
    case.claims("\x1b" not in case.terminal.raw, "an escape sequence was written")
    return max(failed, case.failed)


def startup(glint):
    failed = 0
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(os.path.join(home, ".config", "glint"))
        with open(os.path.join(home, ".config", "glint", "startup.py"), "w") as file:
            file.write(STARTUP)
        case = Case(glint, "a start-up file", [], HOME=home)
        case.claims("ZeroDivisionError" in case.terminal.seen, "its mistake is shown")
        case.claims("is left out, behind line 6" in case.terminal.seen, "and where it is")
        case.enters("started, math.pi > 3", r"\n\(2\.5, True\)\n")
        case.enters(":mode", r"\ncompiled\n")
        failed += case.ends()
        case = Case(glint, "--no-startup", ["--no-startup"], HOME=home)
        case.enters("'started' in globals()", r"\nFalse\n")
        failed += case.ends()
        other = os.path.join(home, "other file.py")
        with open(other, "w") as file:
            file.write("started = 'elsewhere'\n")
        case = Case(glint, "GLINT_STARTUP", [], HOME=home, GLINT_STARTUP=other)
        case.enters("started", r"\n'elsewhere'\n")
        failed += case.ends()
        case = Case(glint, "a start-up file that is not there", [], GLINT_STARTUP=other + "x")
        case.claims("can't open file" in case.terminal.seen, "says so")
        failed += case.ends()
    return failed


def pager(glint):
    failed = 0
    for name, arguments, changes, paged in (
        ("a long text goes to the pager", [], {"PAGER": PAGER}, True),
        ("--no-pager", ["--no-pager"], {"PAGER": PAGER}, False),
        ("a pager that fails", [], {"PAGER": "false"}, None),
        ("a pager that is not there", [], {"PAGER": "no-such-pager"}, False),
        ("a pager of blanks", [], {"PAGER": "  "}, False),
        ("a pager that no shell can read", [], {"PAGER": "less -S 'x"}, False),
    ):
        case = Case(glint, name, arguments, **changes)
        size = struct.pack("HHHH", 12, 100, 0, 0)
        fcntl.ioctl(case.terminal.master, termios.TIOCSWINSZ, size)
        case.enters(":mode", r"\neager\n")
        case.enters(":help", r"paged: [0-9]+\n" if paged else r">>> ")
        case.enters("6 * 7", r"\n42\n")
        lists = re.search(r"\n  :graph ", case.terminal.seen)
        case.claims(bool(lists) == (paged is False), "the list of commands")
        failed += case.ends()
    return failed


STEPPED = "g = torch.compile(lambda x: x.sum())" + ENTER + "g(torch.ones(2))" + ENTER + ":step" + ENTER
# A pager that leaves the terminal to whoever ends it.
RAW_PAGER = "stty raw -echo; echo paging; sleep 20"


def signals(glint):
    failed = 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    case = Case(glint, "SIGINT at the prompt", [])
    case.enters("kept = 6", r">>> ")
    case.terminal.send("dropped")
    os.kill(case.terminal.process, signal.SIGINT)
    case.waits(r"KeyboardInterrupt\n>>> ")
    case.enters("kept * 7", r"\n42\n")
    case.enters("def f(x): return x" + ENTER, r">>> ")
    case.terminal.send(":bench f(1)" + ENTER)
    time.sleep(0.5)
    case.terminal.send(CTRL_C)
    case.waits(r"KeyboardInterrupt\n>>> ")
    case.claims("_bench.py" not in case.terminal.seen, "lines of what measures")
    failed += case.ends()
    ends = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
    for number in ends:
        for name, keys, pattern in (
            ("at the prompt", "half", r"half"),
            ("in :step", "import torch" + ENTER + STEPPED, r"q leaves"),
            ("in a pager", ":help" + ENTER, r"paging"),
        ):
            case = Case(glint, f"{number.name} {name}", [], PAGER=RAW_PAGER)
            fcntl.ioctl(case.terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 100, 0, 0))
            case.terminal.send(keys)
            case.waits(pattern)
            os.kill(case.terminal.process, number)
            case.claims(case.terminal.end() == -number, "it ends by the signal")
            inputs, _, _, local = termios.tcgetattr(case.terminal.master)[:4]
            modes = termios.ECHO | termios.ICANON | termios.ISIG
            case.claims(local & modes == modes and inputs & termios.ICRNL, "the terminal's modes")
            pastes = re.findall(r"\x1b\[\?2004([hl])", case.terminal.raw)
            case.claims(pastes[-1:] == ["l"], "pastes are plain again")
            failed += case.failed
    case = Case(glint, "a resize in :step", [])
    case.enters("import torch" + ENTER + STEPPED, r"q leaves")
    os.kill(case.terminal.process, signal.SIGWINCH)
    case.waits(r"graph <lambda>[\s\S]*q leaves")
    case.terminal.send("q")
    case.enters("6 * 7", r"\n42\n")
    return failed + case.ends()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    glint = os.path.abspath(parser.parse_args().glint)
    failed = colours(glint) + listings(glint) + dumb(glint)
    failed += startup(glint) + pager(glint) + signals(glint)
    print("fine" if failed == 0 else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

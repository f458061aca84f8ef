#!/usr/bin/env python3
"""Drives the REPL through a pseudo-terminal, as a person would: keys in, screen out.

    repl_session_test.py --glint build/release/glint

Each step sends keys and waits for a pattern in what the terminal then shows (colours and cursor
movements removed). A step that waits in vain prints the screen's last lines.
"""

import argparse
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07")
CTRL_A, CTRL_C, CTRL_D, CTRL_E = "\x01", "\x03", "\x04", "\x05"
UP, ENTER, TAB = "\x1b[A", "\r", "\t"


PASTE_BEGIN = "\x1b[200~"


def pasted(text):
    """As a terminal sends what is pasted to a program that asked to know."""
    return PASTE_BEGIN + text.replace("\n", "\r") + "\x1b[201~"


# (what it shows, keys to send, pattern to wait for)
STEPS = [
    ("a greeting and a prompt", "", r">>> "),
    ("an expression prints its value", "1 + 1" + ENTER, r"\n2\b"),
    (
        "a statement prints nothing, a name its repr",
        "name = 'Ada'" + ENTER + "name" + ENTER,
        r"'Ada'",
    ),
    (
        "a function over several lines",
        "def twice(x):" + ENTER + "return x * 2" + ENTER + ENTER + "twice(21)" + ENTER,
        r"\n42\b",
    ),
    (
        "a line with an indentation of its own keeps it",
        "def thrice(x):" + ENTER + "    if x:" + ENTER + "        return x * 3" + ENTER
        + "    return 9" + ENTER + ENTER + "thrice(5), thrice(0)" + ENTER,
        r"\n\(15, 9\)\n",
    ),
    ("an open bracket continues", "print('one'," + ENTER + "'two')" + ENTER, r"one two"),
    (
        "an error shows a traceback and goes on",
        "1 / 0" + ENTER,
        r"ZeroDivisionError: division by zero",
    ),
    ("a syntax error shows a caret", "x = = 1" + ENTER, r"SyntaxError: invalid syntax"),
    ("history", UP + UP + CTRL_A + "3 + " + CTRL_E + " if False else 'again'" + ENTER, r"'again'"),
    ("completion of a name", "twi" + TAB + "(4)" + ENTER, r"\n8\b"),
    ("completion behind a text", "'abc'.upp" + TAB + "()" + ENTER, r"'ABC'"),
    ("completion behind an item", "rows = [{'k': name}]" + ENTER + "rows[0]['k'].swapc" + TAB
     + "()" + ENTER, r"'aDA'"),
    ("no completion inside a text", "len('name.upp" + TAB + "')" + ENTER, r"\n8\n"),
    ("a clause goes back to its statement", "if not name:" + ENTER + "1" + ENTER + "else:" + ENTER
     + "'other'" + ENTER + ENTER, r"\n'other'\n"),
    ("Backspace takes one level back", "for i in range(2):" + ENTER + "if i:" + ENTER + "a = i" + ENTER
     + "\x7fb = i" + ENTER + ENTER + "(a, b)" + ENTER, r"\n\(1, 1\)\n"),
    ("completion of an attribute", "name.upp" + TAB + "()" + ENTER, r"'ADA'"),
    (
        "tensors",
        "import torch" + ENTER + "x = torch.ones(2, 3)" + ENTER + "x + 1" + ENTER,
        r"tensor\(\[\[2\., 2\., 2\.\]",
    ),
    ("Ctrl-C drops what is typed", "garbage(" + CTRL_C + "5 * 5" + ENTER, r"\n25\b"),
    ("Ctrl-C interrupts what runs", "while True: pass" + ENTER + ENTER, None),
    ("... and the session goes on", CTRL_C, r"KeyboardInterrupt"),
    ("help lists the commands", ":help" + ENTER, r":graph"),
    ("the compiled mode", ":mode compiled" + ENTER, r"compiled"),
    (
        "statements are compiled as they are typed",
        "z = x * 2 + 1" + ENTER + ":graph" + ENTER,
        r"multiply %x, 2[^$]*journal: z = %add",
    ),
    (
        "... loops too, and a mistake in one has its traceback",
        "for i in [1, 2]:" + ENTER + "z = z @ z" + ENTER + ENTER,
        r"line 2, in <module>[^$]*\^+[^$]*RuntimeError: mm: mat1 and mat2",
    ),
    ("a compiled call", "torch.compile(twice)(x)" + ENTER, r"tensor\(\[\[2\., 2\., 2\.\]"),
    ("the last graph", ":graph" + ENTER, r"multiply"),
    (
        "the joint graph of forward and backward",
        "w = torch.ones(2, 3, requires_grad=True)"
        + ENTER
        + "loss = torch.compile(lambda a: (w * w).exp().sum())(x)"
        + ENTER
        + ":graph --joint"
        + ENTER,
        r"region_joint[^$]*\nforward:\s[^$]*%sum [^$]*\nbackward:\s[^$]*return %sum, %add",
    ),
    (
        "... and how it was cut, tensor by tensor",
        ":memory" + ENTER,
        r"saved for the backward[^$]*recomputed  %exp [^$]*to do it again costs 60, to save it 96",
    ),
    ("... of which others have none", ":graph --joint twice" + ENTER, r"no joint graph of `twice`"),
    (
        "a walk goes forwards and backwards by keys",
        ":step" + ENTER + "\x1b[C",
        r"graph .*  1 of 4\n> %mul [\s\S]*gives  float32[\s\S]*  2 of 4\n[\s\S]*> %exp",
    ),
    ("... and ends", "\x1b[D" + "q" + "7 + 4" + ENTER, r"  1 of 4\n> %mul [\s\S]*\n11\n"),
    ("a compiled call once more", "torch.compile(twice)(x)" + ENTER, r"tensor"),
    ("the last kernels", ":kernels" + ENTER, r"kernel "),
    ("... as CUDA C++, each line with its source", ":cuda" + ENTER, r"__global__[^$]*%mul  .*x \* 2"),
    ("... and as PTX, where NVRTC is", ":ptx" + ENTER, r"\.entry multiply|no PTX: .*NVRTC"),
    (
        "... and as machine code, where nvdisasm is",
        ":sass" + ENTER,
        r"multiply[^$]*EXIT|no SASS: (nvdisasm, CUDA's disassembler, was not found|.*NVRTC)",
    ),
    ("how they would be launched", ":gpu" + ENTER, r"on a GPU \(compute_\d+\) +grid +block[^$]*multiply"),
    ("what the documentation says", ":doc relu" + ENTER, r"relu\("),
    ("help on a value", "?twice" + ENTER, r"twice"),
    ("an unknown command", ":nonsense" + ENTER, r"nonsense"),
    ("completion of a command", ":hel" + TAB + " gra" + TAB + ENTER, r"--table  "),
    ("completion of a stage to watch", ":watch twi" + TAB + " fus" + TAB + ENTER,
     r"\ntwice   fusion\n"),
    ("completion of a command's word", ":backend aot" + TAB + ENTER, r"\naot_eager\n"),
    ("help on a command", "?:mode" + ENTER, r"\n  >>> :mode compiled\n  compiled\n"),
    ("a command's wrong argument", ":mode fast" + ENTER, r"no mode is called `fast`"),
    ("completion of a module", "import stat" + TAB + ENTER + "statistics.mean([7])" + ENTER, r"\n7\b"),
    (
        "... and of what is in it",
        "from math import flo" + TAB + ENTER + "floor(9.5)" + ENTER,
        r"\n9\b",
    ),
    ("no completion in a string", "'pri" + TAB + "|'" + ENTER, r"\n'pri\|'"),
    ("... but behind it", "('#', nam" + TAB + ")" + ENTER, r"\n\('#', 'Ada'\)"),
    ("completion of an argument", "def larger(x, factor=1): return x * factor" + ENTER + ENTER
     + "larger(21, fac" + TAB + "2)" + ENTER, r"factor=2\)\n42\n"),
    ("what was pasted and ran runs again at Enter",
     pasted("def square(x):\n    return x * x\n\nsquare(3)\n") + "\x12square(x)" + ENTER
     + "square(12)" + ENTER, r"\n144\b"),
    ("a closed bracket ends the indentation it began",
     "def both(x):" + ENTER + "pair = [x," + ENTER + "2 * x]" + ENTER + "return pair" + ENTER
     + ENTER + "both(4)" + ENTER, r"\n\[4, 8\]\n"),
    ("completion of a keyword", "impo" + TAB + " math; math.floor(2.5)" + ENTER, r"\n2\b"),
    ("completion of a key", "where = {'north': 11}" + ENTER + "where['no" + TAB + "']" + ENTER,
     r"\n11\b"),
    ("what a string holds does nothing to the terminal",
     "raise ValueError('a' + chr(27) + '[35mb')" + ENTER, r"ValueError: a\\x1b\[35mb"),
    ("a line is opened above a text", "if True:" + ENTER + "print(5)" + "\x01\x1b[D" + ENTER
     + "print(4)" + "\x1b[B\x05" + ENTER + ENTER, r"\n4\r?\n5\b"),
    ("completion of a file's name in a text",
     "open('~/made.txt'.replace('~', __import__('os').environ['HOME']), 'w').write('it')" + ENTER
     + "len('~/mad" + TAB + "')" + ENTER, r"'~/made\.txt'\)\n10\n"),
    ("... and behind a command", ":load ~/ma" + TAB + ENTER, r":load ~/made\.txt\n[\s\S]*NameError"),
    ("exit alone says how", "exit" + ENTER, r"\nUse exit\(\) or Ctrl-D \(i\.e\. EOF\) to exit"),
    ("Ctrl-D ends one input", "input()" + ENTER + CTRL_D, r"EOFError: EOF when reading a line"),
    ("... and not the next", "input()" + ENTER + "typed" + ENTER, r"\n'typed'"),
    ("Ctrl-C ends an input", "input('who? ')" + ENTER + CTRL_C, r"\nKeyboardInterrupt\n"),
    ("... and nothing after it", "sum(range(4))" + ENTER, r">>> sum\(range\(4\)\)\n6\n"),
    (
        "a paste of several statements runs one by one, its last line waits",
        pasted("p = 1\nq = 2\nq + 5\nprint(p + q)"),
        r">>> p = 1\n(>>> )?>>> q = 2\n[\s\S]*\n7\n[\s\S]*>>> print\(p \+ q\)$",
    ),
    ("... for Enter", ENTER, r"\n3\n"),
    (
        "a pasted function, its call and a command",
        pasted("def f(x):\n    y = x\n\n    return y + 1\nf(6)\n:mode\nf(7)\n"),
        r"\n7\n[\s\S]*mode[\s\S]*\n8\n",
    ),
    (
        "prompts in what is pasted go",
        pasted(">>> for i in range(2):\n...     i + 50\n... \n>>> i + 70\n"),
        r"\n50\n51\n[\s\S]*\n71\n",
    ),
    (
        "IPython's prompts in what is pasted go, and what was printed",
        pasted("In [7]: for i in range(2):\n   ...:     i + 30\n   ...: \n30\n31\n\n"
               "In [8]: i + 80\nOut[8]: 81\n"),
        r"\n30\n31\n>>> [\s\S]*\n81\n",
    ),
    ("a block that is pasted with its margin", pasted("    j = 5\n    j * 11\n"), r"\n55\n"),
    ("brackets indent and go back", "sum([" + ENTER + "4," + ENTER + "5" + ENTER + "])" + ENTER,
     r"\.\.\.     4,[\s\S]*\.\.\. \]\)\n9\n"),
    ("Shift-Tab moves a line out", "if i:" + ENTER + "if j:" + ENTER + "j = 77" + ENTER + "\x1b[Zi = 7"
     + ENTER + ENTER + "i * 100 + j" + ENTER, r"\n777\n"),
    ("Up goes back to what begins so", "'first of two'" + ENTER + "0" + ENTER + "'fir" + UP + ENTER,
     r"\n0\n[\s\S]*\n'first of two'\n"),
    (
        "an error in a paste does not end it",
        pasted("1 / 0\n'on it goes'\n"),
        r"ZeroDivisionError[\s\S]*\n'on it goes'\n",
    ),
    (
        "lines that arrive at once are not indented again",
        "def g(x):\n    if x:\n        return 1\n    return 2\n\ng(0), g(1)\n",
        r"\n\(2, 1\)\n",
    ),
    ("Enter runs a line from anywhere in it", "4 + 4" + CTRL_A + ENTER, r"\n8\n"),
    ("a prompt stands below a line without an end", "print('no ' + 'end', end='')" + ENTER,
     r"\nno end\n>>> "),
    ("Enter in a search runs what it found", "'found ' + 'it'" + ENTER + "0" + ENTER + "\x12found"
     + ENTER, r"0\n[\s\S]*\n'found it'\n"),
    ("... and Up goes to the newest behind one that was left", "1 + 50" + ENTER + "\x12found" + "\x07"
     + UP + " + 9" + ENTER, r"\n60\n"),
    ("a command behind a space", " :mode" + ENTER, r"\ncompiled\n"),
    ("the eager mode", ":mode eager" + ENTER + "twice(x).sum()" + ENTER, r"tensor\(12\.\)"),
]


class Terminal:
    """A REPL on a terminal of its own. The home folder is empty where `changes` names no other."""

    def __init__(self, program, arguments=(), changes=None):
        self.seen, self.at, self.raw = "", 0, ""
        self.process, self.master = pty.fork()
        if self.process == 0:
            for name in ("NO_COLOR", "PAGER", "GLINT_STARTUP", "XDG_CONFIG_HOME"):
                os.environ.pop(name, None)
            os.environ.update(
                TERM="xterm-256color", COLUMNS="100", LINES="40", HOME=tempfile.mkdtemp()
            )
            os.environ.update(changes or {})
            os.execv(program, [program, *arguments])

    def read(self, seconds):
        """Takes in what has arrived, waiting at most so long; False at the end of the session."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        text = data.decode("utf-8", "replace")
        self.raw += text
        self.seen += ESCAPES.sub("", text).replace("\r", "")
        return bool(data)

    def send(self, keys):
        """Types the keys. Behind each Enter it waits for the new line and for quiet, however busy the
        machine is: keys that arrive at once are a paste."""
        parts = [keys] if keys.startswith(PASTE_BEGIN) else re.split("(?<=\r)", keys)
        for part in parts:
            before = len(self.seen)
            os.write(self.master, part.encode())
            end = time.monotonic() + (10 if part.endswith("\r") else 0)
            while "\n" not in self.seen[before:] and time.monotonic() < end:
                self.read(0.02)
            quiet = time.monotonic() + 0.15
            while time.monotonic() < quiet:
                before = len(self.seen)
                self.read(0.02)
                if len(self.seen) > before:
                    quiet = time.monotonic() + 0.1

    def wait(self, pattern, seconds):
        """Waits until the pattern is on what the screen showed since the last match."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.seen[self.at :])
            if found:
                self.at += found.end()
                return True
            if time.monotonic() > end or not self.read(0.1):
                return False

    def end(self):
        """Leaves by Ctrl-D; the exit code, None where the REPL stays.

        A Ctrl-D that comes before the prompt is there is the terminal's, not the REPL's: so it is
        pressed until it is heard.
        """
        begin = pressed = time.monotonic()
        self.send(CTRL_D)
        while time.monotonic() < begin + 15:
            self.read(0.05)
            if time.monotonic() > pressed + 2:
                pressed = time.monotonic()
                self.send(CTRL_D)
            process, code = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(code)
        os.kill(self.process, signal.SIGKILL)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    terminal = Terminal(os.path.abspath(options.glint), changes={"PAGER": "cat"})
    failed = 0
    for name, keys, pattern in STEPS:
        terminal.send(keys)
        fine = pattern is None or terminal.wait(pattern, 20)
        if not fine:
            failed += 1
            print(
                f"{name}: sent {keys!r}, waited for {pattern!r}; the screen ends with\n"
                + "\n".join("    " + line for line in terminal.seen.splitlines()[-15:])
            )
            terminal.at = len(terminal.seen)
        elif options.verbose:
            print(f"{name}: fine")
    status = terminal.end()
    if status != 0:
        failed += 1
        print(f"Ctrl-D at an empty prompt should end the session with exit code 0, not {status}")
    print(f"{len(STEPS) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""From text to code: 5,000 lines of varied sources, and shapes that could make a parser slow.

The lines are those of the recorded scripts and the examples, as many as it takes, so no line is
there often; each engine compiles the same text. A shape is compiled at a size and at four times
that size: `growth` is the ratio of the two times, 4 where time grows as the text does.
"""

import os
import time

from timing import report

FOLDER = os.path.dirname(os.path.abspath(__file__))
LINES = 5000

SHAPES = {
    "list": (2500, lambda n: "x = [" + ", ".join(["a.b + 1"] * n) + "]\n"),
    "dict": (2500, lambda n: "x = {" + ", ".join(f"'k{i}': {i}" for i in range(n)) + "}\n"),
    "sum": (700, lambda n: "x = " + " + ".join(["a"] * n) + "\n"),
    "brackets": (45, lambda n: "x = " + "(" * n + "1" + ")" * n + "\n"),
    "fstring": (2500, lambda n: "x = f'" + "{a} text " * n + "'\n"),
    "elif": (
        700,
        lambda n: "if a: pass\n" + "".join(f"elif a == {i}: x = {i}\n" for i in range(n)),
    ),
    "arguments": (2500, lambda n: "f(" + ", ".join(f"a{i}={i}" for i in range(n)) + ")\n"),
    "statements": (2500, lambda n: "".join(f"x{i} = x{i} * 2\n" for i in range(n))),
    "wrong_at_its_end": (2500, lambda n: "x = 1\n" * n + "x = = 1\n"),
}


def varied_lines():
    """The scripts, one behind the other, without those that are wrong on purpose."""
    parts = []
    names = [
        f"{folder}/{name}"
        for folder in (FOLDER + "/../tests/scripts", FOLDER + "/../examples")
        for name in sorted(os.listdir(folder))
        if name.endswith(".py")
    ]
    while sum(len(part) for part in parts) < LINES:
        for name in names:
            with open(name, encoding="utf-8") as file:
                text = file.read()
            if "error_" in name or "__future__" in text:
                continue
            parts.append((text + "\n").splitlines())
    lines = [line for part in parts for line in part]
    return "\n".join(lines[: end_of_statement(lines)]) + "\n"


def end_of_statement(lines):
    """The first place from LINES on where a script ends."""
    for end in range(LINES, len(lines)):
        try:
            compile("\n".join(lines[:end]) + "\n", "lines", "exec")
            return end
        except SyntaxError:
            pass
    return len(lines)


def seconds(text, samples):
    fastest = 1e9
    for _ in range(samples):
        start = time.perf_counter()
        try:
            compile(text, "text", "exec")
        except SyntaxError:
            pass
        fastest = min(fastest, time.perf_counter() - start)
    return fastest


text = varied_lines()
taken = seconds(text, 5)
count = text.count("\n")
report(f"lines/{LINES}", "compile", taken * LINES / count * 1e3, "ms")
report(f"lines/{LINES}", "speed", count / taken, "lines/s")
for name, (size, make) in SHAPES.items():
    small, large = seconds(make(size), 5), seconds(make(4 * size), 3)
    report(f"shape/{name}", "compile", large * 1e3, "ms")
    report(f"shape/{name}", "growth", large / small, "times")

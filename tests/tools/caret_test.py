#!/usr/bin/env python3
"""Compares the tracebacks of many failing statements with CPython's, character by character.

    caret_test.py --interpreter build/release/glint                          what is recorded
    caret_test.py --interpreter build/release/glint --oracle .venv-oracle/bin/python
                                                          all programs, both run now (a minute)
    caret_test.py --interpreter .venv-oracle/bin/python --record             records anew

The statements come from caret_programs.py, which makes more than twelve thousand; every one of
depth 0 and a selection of the others is recorded, in tests/carets.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import caret_programs

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "carets"
BATCH = 60
DEPTHS = {"alone": 0, "once": 1, "twice": 2}
# A program's traceback ends with its number, which the script adds as a note.
END = re.compile(r"^==== (\d+)\n\n?(?:The above exception was .* exception:\n\n)?", re.M)
# The script's own frames stand first.
FRAME = re.compile(
    r'(?<=\(most recent call last\):\n)(?:  File "case.py", line \d+, in <module>\n(?:    .*\n)+)+'
)
LINE = re.compile(r'(?<=case.py", line )(\d+)')


def compiles(body):
    try:
        compile(caret_programs.script([body]), "case.py", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def bodies_of(depth, every):
    made = list(dict.fromkeys(caret_programs.programs(depth)))
    return [body for body in made[::every] if compiles(body)]


def tracebacks(interpreter, bodies):
    """What each program prints when it fails, lines counted from its own first."""
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(bodies), BATCH):
            batch = bodies[first:first + BATCH]
            text = caret_programs.script(batch)
            (pathlib.Path(folder) / "case.py").write_text(text, encoding="utf-8")
            result = subprocess.run(
                [interpreter, "case.py"],
                cwd=folder,
                capture_output=True,
                timeout=60,
                text=True,
                env={**os.environ, "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"},
            )
            error = result.stderr.replace(f"{pathlib.Path(folder).resolve()}/", "")
            # Text, number, text, number, ...: a program that does not fail has neither.
            parts = END.split(error[max(error.find("Traceback"), 0) :])
            ends = dict(zip(map(int, parts[1::2]), parts[::2]))
            lines = enumerate(text.split("\n"), 1)
            starts = [number for number, line in lines if line.startswith("def f")]
            said += [
                relative(ends.get(number, "(does not fail)"), start)
                for number, start in enumerate(starts)
            ]
    return said


def relative(traceback, start):
    def renumber(match):
        line = int(match[1])
        return str(line - start if line > start else line)
    return LINE.sub(renumber, FRAME.sub("", traceback)).rstrip("\n").split("\n")


def read(path):
    """The recorded programs with their tracebacks."""
    cases = []
    for block in path.read_text(encoding="utf-8").split("\n====\n")[1:]:
        body, _, said = block.partition("\n----\n")
        cases.append((body, said.rstrip("\n").split("\n")))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interpreter", required=True)
    parser.add_argument("--oracle")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    interpreter = os.path.abspath(options.interpreter)
    total, failed = 0, 0
    for name, depth in DEPTHS.items():
        path = FOLDER / f"{name}.txt"
        if options.record:
            bodies = bodies_of(depth, 1 if depth == 0 else 53)
            blocks = [
                f"\n====\n{body}\n----\n" + "\n".join(said)
                for body, said in zip(bodies, tracebacks(interpreter, bodies))
            ]
            title = f"{len(blocks)} programs; see tests/tools/caret_test.py\n"
            path.write_text(title + "".join(blocks) + "\n", encoding="utf-8")
            continue
        if options.oracle:
            bodies = bodies_of(depth, 1)
            wanted = tracebacks(options.oracle, bodies)
        else:
            bodies, wanted = map(list, zip(*read(path)))
        for body, expected, printed in zip(bodies, wanted, tracebacks(interpreter, bodies)):
            total += 1
            if printed == expected:
                continue
            failed += 1
            print(f"{name}: {body}", "-- expected", *expected, "-- printed", *printed, "", sep="\n")
    if not options.record:
        print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

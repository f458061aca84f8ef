#!/usr/bin/env python3
"""Runs wrong sources and compares what stands on standard error with what CPython wrote there.

    bad_source_test.py --interpreter build/release/glint                      all files of cases
    bad_source_test.py --interpreter build/release/glint tests/bad_source/calls.txt
    bad_source_test.py --interpreter .venv-oracle/bin/python --record         records them anew
    bad_source_test.py --interpreter build/release/glint --record-left-out    those of Glint alone

A file of cases in tests/bad_source holds many, each with its source and what it must print:

    ==== assign_literal
    1 = x
    ----
      File "case.py", line 1
        1 = x
        ^
    SyntaxError: cannot assign to literal here. Maybe you meant '==' instead of '='?

Behind the name may stand `(escaped)`: the source is written with Python's escapes (`\\x00`, `\\t`),
line ends too, for bytes that a text file cannot show; and `(glint)`: the language leaves this out
on purpose, CPython takes it, and the record is Glint's.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "bad_source"
HEADER = re.compile(r"==== (\w+)((?: \(\w+\))*)$")


class Case:
    """One wrong source and what must be on standard error."""

    def __init__(self, name, flags):
        self.name = name
        self.flags = flags
        self.source = []
        self.expected = []

    def source_bytes(self):
        text = "\n".join(self.source)
        if "escaped" in self.flags:
            return (
                text.replace("\n", "").encode("latin-1").decode("unicode_escape").encode("latin-1")
            )
        return (text + "\n").encode("utf-8")

    def text(self):
        flags = "".join(f" ({flag})" for flag in self.flags)
        return "\n".join([f"==== {self.name}{flags}", *self.source, "----", *self.expected]) + "\n"


def read_cases(path):
    cases, into = [], None
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        header = HEADER.match(line)
        if header:
            cases.append(Case(header[1], re.findall(r"\((\w+)\)", header[2])))
            into = cases[-1].source
        elif line == "----":
            into = cases[-1].expected
        else:
            into.append(line)
    return cases


def run(interpreter, case, folder):
    """What the interpreter writes to standard error, folder names cut out, as lines."""
    (folder / "case.py").write_bytes(case.source_bytes())
    result = subprocess.run(
        [interpreter, "case.py"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1"),
    )
    error = result.stderr.decode("utf-8", errors="backslashreplace").replace(f"{folder}/", "")
    if result.returncode < 0:
        error += f"(ended by signal {-result.returncode})\n"
    return error.split("\n")[:-1]


def is_expected(case, printed):
    """CPython ends at the first error; Glint may go on, with another one in the same form."""
    known = len(case.expected)
    if printed[:known] != case.expected:
        return False
    return len(printed) == known or printed[known].startswith('  File "case.py", line ')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interpreter", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--record-left-out", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth case alone")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()

    interpreter = os.path.abspath(options.interpreter)
    records = options.record or options.record_left_out
    total, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files or sorted(FOLDER.glob("*.txt")):
            cases = read_cases(path)
            for number, case in enumerate(cases):
                if number % options.every:
                    continue
                total += 1
                if records:
                    if ("glint" in case.flags) == options.record_left_out:
                        case.expected = run(interpreter, case, pathlib.Path(folder).resolve())
                    continue
                printed = run(interpreter, case, pathlib.Path(folder).resolve())
                if not is_expected(case, printed):
                    failed += 1
                    print(
                        f"{path.name}: {case.name}",
                        *case.source,
                        "-- expected",
                        *case.expected,
                        "-- printed",
                        *printed,
                        "",
                        sep="\n",
                    )
            if records:
                path.write_text("".join(case.text() for case in cases), encoding="utf-8")
    print(f"{total} recorded" if records else f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

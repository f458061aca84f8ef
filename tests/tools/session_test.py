#!/usr/bin/env python3
"""Sessions at the REPL that a page shows print what the page says.

    session_test.py --glint build/release/glint README.md docs/compile.md
    session_test.py --glint build/release/glint --write README.md      (puts in what is printed now)

A session is a fenced block in which a line begins with `>>> `. Its entries are typed at one REPL;
what lies between them is what it printed. Times differ from run to run: in lines with a unit of
time only the words are compared.
"""

import argparse
import pathlib
import re
import subprocess
import sys

TIMED = re.compile(r"\b(us|ms)\b")
# Entered behind each entry: a question about what is no name is answered with one line.
MARK = "--end-of-entry--"
ANSWER = f"nothing is called `{MARK}` here\n"


def sessions(lines):
    """(first, last) line numbers of each fenced block with a prompt, the fences left out."""
    begin = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if begin is None:
            begin = number + 1
            continue
        if any(each.startswith(">>> ") for each in lines[begin:number]):
            yield begin, number
        begin = None


def entries(block):
    """[(typed lines, printed lines)] of a session; what precedes the first prompt is left out."""
    found = []
    for line in block:
        if line.startswith(">>> "):
            found.append(([line], []))
        elif found and (line.startswith("... ") or line == "...") and not found[-1][1]:
            found[-1][0].append(line)
        elif found:
            found[-1][1].append(line)
    return found


def run(glint, typed):
    """What the REPL prints for each entry."""
    text = ""
    for lines in typed:
        text += "".join(line[4:] + "\n" for line in lines)
        text += f"?{MARK}\n"
    result = subprocess.run(
        [glint, "-i"],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    printed = result.stdout.split(ANSWER)
    return [part.splitlines() for part in printed[:-1]]


def same(expected, printed):
    def plain(line):
        return re.sub(r"[\d.]+", "#", re.sub(r" +", " ", line)) if TIMED.search(line) else line

    return [plain(line) for line in expected] == [plain(line) for line in printed]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    for page in options.pages:
        lines = page.read_text(encoding="utf-8").splitlines()
        for begin, end in reversed(list(sessions(lines))):
            block = lines[begin:end]
            shown = entries(block)
            printed = run(options.glint, [typed for typed, _ in shown])
            if len(printed) != len(shown):
                print(f"{page}:{begin}: the session stopped after {len(printed)} entries")
                failed += 1
                continue
            for (typed, expected), found in zip(shown, printed):
                if options.write or same(expected, found):
                    continue
                failed += 1
                print(f"{page}: {typed[0]}\n  the page says:")
                print("".join(f"    {line}\n" for line in expected) + "  printed:")
                print("".join(f"    {line}\n" for line in found), end="")
            if options.write:
                start = next(i for i, line in enumerate(block) if line.startswith(">>> "))
                new = block[:start]
                for (typed, _), found in zip(shown, printed):
                    new += typed + found
                lines[begin:end] = new
        if options.write:
            page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Sessions at the REPL that a page shows print what the page says.

    session_test.py --glint build/release/glint README.md docs/compile.md
    session_test.py --glint build/release/glint --write README.md      (puts in what is printed now)

A session is a fenced block in which a line begins with `>>> `. Its entries are typed at one REPL, in
a folder of their own; what lies between them is what it printed. Times differ from run to run: in
lines with a unit of time or of a rate only the words are compared, of a picture nothing but that it
is there, of a GPU's instruction its name and what it came from. A line `[...]` stands for any lines.
The blocks of a page that begins with `<!-- one session` follow one another at one REPL.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMED = re.compile(r"\b(us|ms)\b|\b\w?(op|B)/s")
# On a machine with other work a comparison may be in the noise, and says so.
NOISE = "the difference is noise"
PAYS = re.compile(r"pays off after \d+ calls?|no sign that it pays off|does not pay off")
# Which of the two limits a small call is nearest to hangs on what the machine was measured to do.
LIMIT = re.compile(r"by its (arithmetic|caches|memory)")
PICTURE = re.compile(r"[ \w/]{11}[|+]| {11}[ \d.e+-]+$")
# Places and registers are the choice of NVIDIA's tools; the instruction and its origin are not.
INSTRUCTION = re.compile(r"    [0-9a-f]{4}  (?:@!?P\d+)? +([\w.]+).*?;( +//.*)?$")
# Entered behind each entry: a question about what is no name is answered with one line.
ELIDED = "[...]"
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


def run(glint, typed, folder):
    """What the REPL prints for each entry."""
    text = ""
    for lines in typed:
        text += "".join(line[4:] + "\n" for line in lines)
        text += f"?{MARK}\n"
    result = subprocess.run(
        [os.path.abspath(glint), "-i"],
        cwd=folder,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    printed = result.stdout.split(ANSWER)
    return [part.splitlines() for part in printed[:-1]]


# Of what NVIDIA's tools make nothing is shown where they are not installed.
NOT_HERE = re.compile(r"no (PTX|SASS): ")


def same(expected, printed):
    if expected and printed and NOT_HERE.match(printed[0]):
        return True

    def plain(line):
        if PICTURE.match(line):
            return ""
        line = INSTRUCTION.sub(r"\1 \2", line)
        line = LIMIT.sub("by its limit", PAYS.sub("pays off", line))
        return re.sub(r"\d[\d.]*( \w?(op|B)/s)?", "#", re.sub(r" +", " ", line)) if TIMED.search(line) else line

    def fits(expected, printed):
        if not expected:
            return not printed
        if expected[0] == ELIDED:
            return any(fits(expected[1:], printed[i:]) for i in range(len(printed) + 1))
        return bool(printed) and expected[0] == printed[0] and fits(expected[1:], printed[1:])

    return fits(*([plain(line) for line in lines if NOISE not in line] for lines in (expected, printed)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    for page in options.pages:
        lines = page.read_text(encoding="utf-8").splitlines()
        blocks = list(sessions(lines))
        shown = [entries(lines[begin:end]) for begin, end in blocks]
        together = lines[0].startswith("<!-- one session")
        runs = [sum(shown, [])] if together else shown
        printed = []
        for number, typed in enumerate(runs):
            with tempfile.TemporaryDirectory() as folder:
                found = run(options.glint, [each for each, _ in typed], folder)
            if len(found) != len(typed):
                print(f"{page}: session {number + 1} stopped after {len(found)} entries")
                failed += 1
                found += [[]] * (len(typed) - len(found))
            printed += found
        # From the last block to the first: what is put in moves what stands behind it.
        for (begin, end), block in reversed(list(zip(blocks, shown))):
            now = printed[len(printed) - len(block) :]
            del printed[len(printed) - len(block) :]
            new = lines[begin : next(i for i in range(begin, end) if lines[i].startswith(">>> "))]
            for (typed, expected), found in zip(block, now):
                fine = same(expected, found)
                new += typed + (expected if fine else found)
                if fine or options.write:
                    continue
                failed += 1
                print(f"{page}: {typed[0]}\n  the page says:")
                print("".join(f"    {line}\n" for line in expected) + "  printed:")
                print("".join(f"    {line}\n" for line in found), end="")
            lines[begin:end] = new
        if options.write:
            page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

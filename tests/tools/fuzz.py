#!/usr/bin/env python3
"""Mutates the recorded scripts and checks that Glint neither dies nor hangs on any of them.

    fuzz.py --interpreter build/release/glint --count 300               a short run, always the same
    fuzz.py --interpreter build/release/glint --seconds 600 --seed 7 \\
            --oracle .venv-oracle/bin/python --finds /tmp/finds         a long one, against CPython

With an oracle, both must take or refuse a text, and refuse it in the same words at the same place;
what the language leaves out by name is not compared. Each text that is found goes to the folder of
finds, to become a case in tests/bad_source or tests/scripts.
"""

import argparse
import json
import os
import pathlib
import random
import re
import select
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKER = pathlib.Path(__file__).with_name("fuzz_worker.py")
TIMEOUT = 10
BATCH = 100
TOKEN = re.compile(r"\w+|\"\"\"|'''|[ \t]+|\n|[^\w\s]")
SPICE = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "=",
    ":=",
    "==",
    "*",
    "**",
    "'",
    '"',
    '"""',
    "f'{",
    "\\",
    "\n",
    "    ",
    "\t",
    "#",
    "€",
    "é",
    "if",
    "else",
    "for",
    "in",
    "lambda",
    "def",
    "class",
    "return",
    "yield",
    "import",
    "from",
    "as",
    "not",
    "is",
    "None",
    "True",
    "0",
    "1.5",
    "1_",
    "0x",
    "b'",
    "match",
    "case",
    "_",
    "@",
    ".",
    "...",
    "->",
    ";",
    "~",
    "!",
    "$",
    "print",
    "global",
    "nonlocal",
    "del",
    "try:",
    "except",
    "finally:",
    "with",
    "while",
    "assert",
    "raise",
    "pass",
    "break",
    "continue",
    "async",
    "await",
]
LEFT_OUT = (
    "not part of the language",
    "OverflowError",
    "tensor shape",
)


# What Glint says where no caret stands: CPython's column is nothing that it shows.
NO_COLUMN = 'column 0"'


def place(said):
    return said.rpartition(" column ")[0]


def sources():
    """The texts that mutation begins with, each a list of tokens."""
    texts = []
    for folder in ("tests/scripts", "examples"):
        texts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob("*.py"))]
    for path in sorted((ROOT / "tests" / "bad_source").glob("*.txt")):
        texts += re.findall(
            r"^==== \w+\n(.*?)^----$", path.read_text(encoding="utf-8"), re.M | re.S
        )
    return [TOKEN.findall(text) for text in texts if text]


def mutant(tokens, chance):
    """A stretch of a text: some tokens deleted, doubled, swapped, replaced, characters changed."""
    begin = chance.randrange(len(tokens))
    while begin > 0 and tokens[begin - 1] != "\n":
        begin -= 1
    tokens = tokens[begin : begin + chance.randrange(5, 160)]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(tokens))
        kind = chance.randrange(6)
        if kind == 0 and len(tokens) > 1:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens[at] = chance.choice(SPICE)
        elif kind == 4:
            tokens.insert(at, chance.choice(SPICE))
        else:
            token = list(tokens[at])
            token[chance.randrange(len(token))] = chr(
                chance.choice((chance.randrange(32, 127), 10, 9, 0xE9))
            )
            tokens[at] = "".join(token)
    return "".join(tokens) + "\n"


def verdicts(interpreter, texts, path):
    """What the interpreter says of each text; `died` or `hung` where it says nothing."""
    path.write_text(json.dumps(texts), encoding="utf-8")
    said = []
    while len(said) < len(texts):
        process = subprocess.Popen(
            [interpreter, str(WORKER), str(path), str(len(said))],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, PYTHONWARNINGS="ignore"),
        )
        rest = b""
        end = ""
        while not end:
            if not select.select([process.stdout], [], [], TIMEOUT)[0]:
                end = "hung"
                break
            block = os.read(process.stdout.fileno(), 65536)
            end = "" if block else "died"
            *lines, rest = (rest + block).split(b"\n")
            said += [line.decode().split(" ", 1)[1] for line in lines]
        process.kill()
        process.wait()
        if len(said) < len(texts):
            said.append(end)
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interpreter", required=True)
    parser.add_argument("--oracle")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finds", type=pathlib.Path)
    options = parser.parse_args()

    chance = random.Random(options.seed)
    texts = sources()
    end = time.monotonic() + options.seconds
    tried, found = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "texts.json"
        while tried < options.count or time.monotonic() < end:
            batch = [mutant(list(chance.choice(texts)), chance) for _ in range(BATCH)]
            ours = verdicts(os.path.abspath(options.interpreter), batch, path)
            theirs = verdicts(options.oracle, batch, path) if options.oracle else ours
            for text, said, expected in zip(batch, ours, theirs):
                tried += 1
                left_out = any(words in said for words in LEFT_OUT)
                same = said == expected or (
                    said.endswith(NO_COLUMN) and place(said) == place(expected)
                )
                if said not in ("died", "hung") and (same or left_out):
                    continue
                found += 1
                print(
                    f"---- {found}: {said}"
                    + (f"\n     oracle: {expected}" if options.oracle else "")
                )
                print(text, flush=True)
                if options.finds:
                    options.finds.mkdir(parents=True, exist_ok=True)
                    (options.finds / f"{options.seed}_{found}.py").write_text(
                        text, encoding="utf-8"
                    )
    print(f"{tried} texts, {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

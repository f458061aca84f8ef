#!/usr/bin/env python3
"""What is shown, changed and cleared: in a notebook's file, at the REPL, in a script.

    rich_output_test.py --glint build/release/glint

A file has no front end that would heed the messages: `glint kernel execute` changes what it has
written, as nbconvert does.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

CELLS = [
    (
        "from IPython.display import *\nh = display('first', display_id=True)\ndisplay(3, display_id='a');",
        ["'second'", "'fourth'"],
    ),
    ("h.update('second'); display('fourth', display_id='a')\nprint('kept')", ["'fourth'", "kept\n"]),
    ("print('gone'); display(1)\nclear_output()\nprint('stays')", ["stays\n"]),
    ("display(1, display_id='b');\nclear_output(wait=True)", ["1"]),
    ("for i in range(3):\n    clear_output(wait=True)\n    print(i)", ["2\n"]),
    ("print(0)\nclear_output(wait=True)\n1 / 0", ["ZeroDivisionError"]),
    ("display(1, display_id='c')\nclear_output()\nupdate_display(2, display_id='c')", []),
    ("update_display(2, display_id='nobody')", []),
    ("from tqdm import tqdm\nfor i in tqdm(range(3), leave=False): pass", [""]),
]

TYPED = """class P:
    def __repr__(self): return "repr"
    def __str__(self): return "str"
    def _repr_html_(self): return "html"

display(P(), 3)
from IPython.display import *
h = display(P(), display_id=True)
h.update(4)
display(Pretty("as it is"), {"text/html": "no text"}, {"text/plain": "raw"})
display({"text/plain": "raw", "text/html": "h"}, raw=True)
clear_output()
"""
PRINTED = "repr\n3\nrepr\n4\nas it is\n{'text/html': 'no text'}\n{'text/plain': 'raw'}\nraw\n\033[2K\r\033[2K\r"

SCRIPT = TYPED.replace("display(P(), 3)", "from IPython.display import display\ndisplay(P(), 3)")
SCRIPT = SCRIPT.replace("display({\"text/plain\": \"raw\", \"text/html\": \"h\"}, raw=True)\n", "")
SCRIPT_PRINTED = (
    "str 3\nstr\n4\n<IPython.core.display.Pretty object> {'text/html': 'no text'} {'text/plain': 'raw'}\n"
    "\033[2K\r\033[2K\r"
)


def text_of(output):
    if output["output_type"] == "stream":
        return "".join(output["text"])
    if output["output_type"] == "error":
        return output["ename"]
    return "".join(output["data"]["text/plain"])


def executed(glint, sources):
    cells = [
        {"cell_type": "code", "id": f"cell{i}", "metadata": {"tags": ["raises-exception"]}, "source": source,
         "outputs": [], "execution_count": None}
        for i, source in enumerate(sources)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "made.ipynb")
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
        subprocess.run([glint, "kernel", "execute", path], check=True, timeout=100)
        return json.loads(path.read_text())["cells"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    glint = parser.parse_args().glint
    faults = []
    for cell, (source, texts) in zip(executed(glint, [source for source, _ in CELLS]), CELLS):
        found = [text_of(output) for output in cell["outputs"]]
        if found != texts:
            faults.append(f"{source}\ngives {found}, not {texts}")
    for arguments, given, printed in ((["-i"], TYPED, PRINTED), (["-"], SCRIPT, SCRIPT_PRINTED)):
        run = subprocess.run([glint, *arguments], input=given.encode(), capture_output=True, timeout=100)
        if run.stdout.decode() != printed:
            faults.append(f"{arguments} prints {run.stdout!r}, not {printed!r}\n{run.stderr}")
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

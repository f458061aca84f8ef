#!/usr/bin/env python3
"""Notebooks that nobody should have written: `glint kernel execute` says what is wrong, or runs them,
and never crashes.

    hostile_notebook_test.py --glint build/release/glint

Exit code 2 and a line where the file is no notebook, 1 where a cell raised, 0 where all ran; what is
written is JSON in UTF-8 in any case.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def cell(**parts):
    return {"cell_type": "code", "id": "a", "execution_count": None, "metadata": {}, "outputs": [], **parts}


def notebook(*cells, **parts):
    whole = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **parts}
    return json.dumps(whole).encode()


def running(*lines):
    return notebook(cell(source="\n".join(lines)), cell(source="print('next')"))


DEEP = 100000

# By name: the file's bytes, and the exit code.
FILES = {
    "empty": (b"", 2),
    "null": (b"null", 2),
    "a list": (b"[]", 2),
    "a number without end": (b"1e999", 2),
    "cut off": (b'{"cells": [', 2),
    "zeros": (b"\0" * 100, 2),
    "a byte order mark": (b"\xef\xbb\xbf" + notebook(), 0),
    "open lists": (b"[" * DEEP, 2),
    "open objects": (b'{"a":' * DEEP, 2),
    "deep cells": (b'{"nbformat":4,"cells":' + b"[" * DEEP + b"]" * DEEP + b"}", 2),
    "bytes that are no UTF-8": (b'{"nbformat":4,"cells":[{"cell_type":"code","source":"\xff\xfe"}]}', 2),
    "half a surrogate pair": (notebook(cell(source="'\ud800'"), cell(source="# \udc00\ud800\\ud800", outputs=["\ud800"])), 0),
    "half a pair, alone": (notebook(cell(source="\ud800")), 1),
    "an exit": (running("exit(3)"), 1),
    "an exit with cells behind it": (running("exit()"), 1),
    "an exit at the end": (notebook(cell(source="1"), cell(source="exit()")), 0),
    "a bad exit at the end": (notebook(cell(source="1"), cell(source="import sys; sys.exit('no')")), 1),
    "a format in words": (notebook(nbformat="4"), 2),
    "an older format": (notebook(nbformat=3), 2),
    "no cells": (notebook(cells=None), 2),
    "cells that are an object": (notebook(cells={}), 2),
    "cells in words": (notebook(cells="abc"), 2),
    "a cell that is null": (notebook(None), 2),
    "a cell of nothing": (notebook({}), 2),
    "a type that is a number": (notebook(cell(cell_type=3)), 0),
    "a source that is a number": (notebook(cell(source=3)), 2),
    "a source of lists": (notebook(cell(source=[["a"]])), 2),
    "no source": (notebook({"cell_type": "code"}), 2),
    "metadata that is a list": (notebook(cell(source="1", metadata=[])), 0),
    "tags in words": (notebook(cell(source="1", metadata={"tags": "skip-execution"})), 0),
    "tags of all kinds": (notebook(cell(source="1", metadata={"tags": [1, None, {}]})), 0),
    "a zero in a source": (running("print('a\0b')"), 1),
    "a long line": (running(f"x = {'a' * 3000000!r}"), 0),
    "deep brackets": (running("(" * DEEP + ")" * DEEP), 1),
    "a long sum": (running("1" + "+1" * DEEP), 1),
    "an exception without a text": (
        running("class E(Exception):", "  def __str__(self): raise ValueError('\\ud800')", "raise E()"),
        1,
    ),
    "forms that are none": (
        running(
            "class E:",
            "  def _repr_json_(self): return '{bad'",
            "  def _repr_html_(self): return 'a\\ud800'",
            "  def _repr_svg_(self): return 3",
            "E()",
        ),
        0,
    ),
    "JSON in itself": (
        running("class E:", "  def _repr_json_(self):", "    a = {}", "    a['a'] = a", "    return a", "E()"),
        0,
    ),
    "deep JSON": (running("class E:", f"  def _repr_json_(self): return '[' * {DEEP} + ']' * {DEEP}", "E()"), 0),
    "commands without sense": (
        running(":", ":graph", ":graph \0", ":step", ":run /none", ":load", "?", "??", ":\u202e", ":bench ("), 0),
    "builtins that are gone": (running("display = print_ = _ = Out = 3", "7"), 0),
    "a stream that is gone": (running("import sys", "sys.stdout = None", "1 / 0"), 1),
    "nobody to ask": (running("input('\\ud800')"), 1),
    "a function without end": (running("def f(): return f()", "f()"), 1),
    "a repr without end": (running("class E:", "  def __repr__(self): return repr(self)", "E()"), 1),
    "a value that has all methods": (
        running("class E:", "  def __getattr__(self, n): return self", "  def __call__(self, *a): return self", "E()"), 0),
}


def fault(glint, folder, content, code):
    """What is wrong with how it ended; None where nothing is."""
    given, made = folder / "given.ipynb", folder / "made.ipynb"
    given.write_bytes(content)
    command = [glint, "kernel", "execute", given, "-o", made]
    run = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if run.returncode != code or b"internal error" in run.stderr:
        return f"exit code {run.returncode}, not {code}: {run.stderr[-300:]}"
    if code != 0 and not run.stderr.startswith(b"glint: "):
        return f"no message: {run.stderr[-300:]}"
    if code != 2:
        json.loads(made.read_bytes().decode("utf-8"))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True, type=pathlib.Path)
    glint = parser.parse_args().glint.resolve()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (content, code) in FILES.items():
            wrong = fault(glint, pathlib.Path(folder), content, code)
            if wrong:
                faults += 1
                print(f"{name}: {wrong}")
    print(f"{len(FILES)} notebooks, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

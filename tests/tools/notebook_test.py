#!/usr/bin/env python3
"""Runs a notebook of the course from a clean start, and holds it against what it shows.

    notebook_test.py --glint build/release/glint docs/course/1_first_look.ipynb      as a reader has it
    notebook_test.py --glint build/release/glint --solved docs/course/...            its exercises solved
    notebook_test.py --glint build/release/glint --record docs/course/*.ipynb        writes them anew

Each cell must print, word for word, what stands in the file; a cell tagged `varies` (it shows times)
has only to run. With `--solved` the exercises are done as tests/course/solutions.json has it, and
the compiler must say of each that it is right: what it grades by is what it makes now.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SOLUTIONS = pathlib.Path(__file__).resolve().parents[1] / "course" / "solutions.json"
GRADED = ("right: ", "done: ")


def text_of(output):
    """What an output says in plain text; a picture's name, for a picture."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    if output["output_type"] == "error":
        return "\n".join(output["traceback"])
    return "".join(output["data"]["text/plain"])


def text_of_cell(cell):
    return "".join(text_of(output) for output in cell["outputs"])


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def execute(glint, notebook):
    """The notebook with what its cells give now."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "given.ipynb"), pathlib.Path(folder, "made.ipynb")
        given.write_text(json.dumps(notebook), encoding="utf-8")
        run = subprocess.run(
            [glint, "kernel", "execute", given, "-o", made], capture_output=True, text=True, timeout=240
        )
        if run.returncode != 0:
            raise SystemExit(f"it did not run:\n{run.stderr}")
        return json.loads(made.read_text(encoding="utf-8"))


def differences(shown, made):
    found = []
    for before, now in zip(code_cells(shown), code_cells(made)):
        if "varies" in before["metadata"].get("tags", []):
            continue
        if text_of_cell(before) != text_of_cell(now):
            found.append(
                f"cell {now['execution_count']}:\n{''.join(now['source'])}\n"
                f"-- shown\n{text_of_cell(before)}-- printed\n{text_of_cell(now)}"
            )
    return found


def solve(notebook, solutions):
    """Puts the solutions in place of what the exercises leave open; which cells that were."""
    solved = []
    for cell in code_cells(notebook):
        source = "".join(cell["source"])
        for left_open, solution in solutions.items():
            if left_open in source:
                cell["source"] = source.replace(left_open, solution)
                solved.append(cell["id"])
    if len(solved) != len(solutions):
        raise SystemExit(f"{len(solutions)} solutions, {len(solved)} places for them")
    return solved


def ungraded(made, solved):
    return [
        f"not solved: {''.join(cell['source'])}\n{text_of_cell(cell)}"
        for cell in code_cells(made)
        if cell["id"] in solved
        and not any(line.startswith(GRADED) for line in text_of_cell(cell).split("\n"))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--solved", action="store_true")
    parser.add_argument("notebooks", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    faults = []
    for path in options.notebooks:
        if options.record:
            subprocess.run([options.glint, "kernel", "execute", path], check=True)
            continue
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if options.solved:
            solutions = json.loads(SOLUTIONS.read_text(encoding="utf-8"))[path.stem]
            solved = solve(notebook, solutions)
            faults += ungraded(execute(options.glint, notebook), solved)
        else:
            faults += differences(notebook, execute(options.glint, notebook))
    print(*faults, sep="\n\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

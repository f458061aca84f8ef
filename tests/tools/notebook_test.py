#!/usr/bin/env python3
"""Runs a notebook of the course from a clean start, and holds it against what it shows.

    notebook_test.py --glint build/release/glint docs/course/1_first_look.ipynb      as a reader has it
    notebook_test.py --glint build/release/glint --solved docs/course/...            its exercises solved
    notebook_test.py --glint build/release/glint --record docs/course/*.ipynb        writes them anew

Each cell must print, word for word, what stands in the file; of a cell tagged `varies` (it shows times)
the lines must begin as they do there, whatever the numbers are. With `--solved` the exercises are done as tests/course/solutions.json has it: the
compiler must say of each solution that it is right, and of each wrong answer that it is not.
"""

import argparse
import json
import pathlib
import re
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


# On a machine with other work a comparison may be in the noise, and says so.
NOISE = "the difference is noise"


def outline(text):
    """The first word of each line, of numbers a `#`; a chart's lines are left out, for they too vary."""
    lines = [line.split() for line in text.split("\n") if " |" not in line and NOISE not in line]
    return [re.sub(r"[0-9][0-9.,]*", "#", words[0]) for words in lines if words]


def is_as_shown(before, now):
    texts = [text_of_cell(before), text_of_cell(now)]
    if "varies" in before["metadata"].get("tags", []):
        texts = [outline(text) for text in texts]
        kinds = [[output["output_type"] for output in cell["outputs"]] for cell in (before, now)]
        return texts[0] == texts[1] and kinds[0] == kinds[1]
    return texts[0] == texts[1]


def differences(shown, made):
    found = []
    for before, now in zip(code_cells(shown), code_cells(made)):
        if not is_as_shown(before, now):
            found.append(
                f"cell {now['execution_count']}:\n{''.join(now['source'])}\n"
                f"-- shown\n{text_of_cell(before)}-- printed\n{text_of_cell(now)}"
            )
    return found


def same_with(cell, source, name):
    return cell | {"source": source, "id": f"{cell['id']}-{name}"}


def solve(notebook, exercises):
    """Puts solutions in place of what is left open, behind a cell for each wrong answer.

    Gives how many verdicts the cells are to have, by id: none where an answer is wrong.
    """
    cells, verdicts, found = [], {}, 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        open_ones = {text: each for text, each in exercises.items() if text in source}
        if cell["cell_type"] != "code" or not open_ones:
            cells.append(cell)
            continue
        found += len(open_ones)
        answers = [source.replace(text, wrong) for text, each in open_ones.items() for wrong in each["wrong"]]
        for number, answer in enumerate(answers):
            cells.append(same_with(cell, answer, f"wrong-{number}"))
            verdicts[cells[-1]["id"]] = 0
        for text, each in open_ones.items():
            source = source.replace(text, each["right"])
        cells.append(same_with(cell, source, "right"))
        verdicts[cells[-1]["id"]] = len(open_ones)
    if found != len(exercises):
        raise SystemExit(f"{len(exercises)} exercises, {found} places for them")
    notebook["cells"] = cells
    return verdicts


def misgraded(made, verdicts):
    """Answers whose verdict is not as it should be, or shows the grader's own code."""
    found = []
    for cell in code_cells(made):
        if cell["id"] not in verdicts:
            continue
        text = text_of_cell(cell)
        graded = sum(line.startswith(GRADED) for line in text.split("\n"))
        if graded != verdicts[cell["id"]] or "course.py" in text or "_answers.py" in text:
            found.append(f"wrong verdict on: {''.join(cell['source'])}\n{text}")
    return found


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
            verdicts = solve(notebook, solutions)
            faults += misgraded(execute(options.glint, notebook), verdicts)
        else:
            faults += differences(notebook, execute(options.glint, notebook))
    print(*faults, sep="\n\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

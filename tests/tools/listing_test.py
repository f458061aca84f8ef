#!/usr/bin/env python3
"""What `glint show` prints of a graph or of kernels reads back: `glint ir --run` runs it.

    listing_test.py --glint build/release/glint examples/*.py

Also: a mistake in an edited graph is reported with its place.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def listings(glint, script):
    """Each heading (`graph f`) with its text."""
    shown = subprocess.run(
        [glint, "show", "--stage", "graph,kernels", script.name],
        cwd=script.parent,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
    parts = re.split(r"(?m)^== (.*)$", shown)
    return list(zip(parts[1::2], parts[2::2]))


def read(glint, text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".ir") as file:
        file.write(text)
        file.flush()
        return subprocess.run(
            [glint, "ir", *options, file.name], capture_output=True, text=True, timeout=120
        )


def whole_listing(glint, script):
    """What is wrong with reading all that `glint show` prints, at once and from standard input."""
    command = [glint, "show", script.resolve().name]
    shown = subprocess.run(command, cwd=script.resolve().parent, capture_output=True, timeout=120)
    forms = re.findall(r"(?m)^== (?:graph|kernels) .*$", shown.stdout.decode())
    if not forms:
        return []  # a script that compiles nothing
    command = [glint, "ir", "--run", "-"]
    result = subprocess.run(command, input=shown.stdout, capture_output=True, timeout=120)
    errors = result.stderr.decode()
    if result.returncode and "index out of range" not in errors:
        return [f"the whole listing: {errors}"]
    read_forms = re.findall(r"(?m)^== (?:graph|kernels) .*$", result.stdout.decode())
    return [] if forms == read_forms else [f"of {forms} only {read_forms} were read"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("scripts", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.glint = str(pathlib.Path(options.glint).resolve())
    problems, count = [], 0
    for script in options.scripts:
        for heading, text in listings(options.glint, script.resolve()):
            count += 1
            result = read(options.glint, text, "--run")
            # Made-up indices may well be out of range.
            if result.returncode and "index out of range" not in result.stderr:
                problems.append(f"{script.name}, {heading}: {result.stderr}")
            if heading.startswith("graph") and count == 1:
                broken = re.sub(r"= \w+ %", "= nonsense %", text, count=1)
                result = read(options.glint, broken)
                if result.returncode != 1 or not re.search(
                    r":3:3: %\w+: there is no operator `nonsense`", result.stderr
                ):
                    problems.append(f"{script.name}, {heading}, broken: {result.stderr}")
        problems += [f"{script.name}, {each}" for each in whole_listing(options.glint, script)]
    if count < 2 * len(options.scripts):
        problems.append(f"only {count} listings were found")
    print("".join(problem + "\n" for problem in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

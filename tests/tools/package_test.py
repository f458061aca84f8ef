#!/usr/bin/env python3
"""A package, moved elsewhere, runs a script as the program that it was made of does.

    package_test.py --glint build/release/glint

It is run as its launcher chooses; with its own loader and C library; and, by root, in a root folder
that holds nothing else.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = "examples/softmax.py"
LOADER = "lib/base/ld-linux-x86-64.so.2"


def output_of(words, **options):
    run = subprocess.run(words, capture_output=True, text=True, timeout=120, **options)
    return run.stdout if run.returncode == 0 else f"exit code {run.returncode}\n{run.stderr}"


def own_words(folder):
    """The program by the package's own loader, which lies in that folder."""
    return [f"{folder}/{LOADER}", "--library-path", f"{folder}/lib/base:{folder}/lib",
            f"{folder}/bin/glint"]


def missing_libraries(package):
    """What a file of the package is linked with and none of the package is."""
    files = [package / "bin/glint", *package.glob("lib/*.so*"), *package.glob("lib/base/*.so*")]
    there = {file.name for file in files}
    missing = set()
    for file in files:
        for name in re.findall(r"NEEDED\s+(\S+)", output_of(["objdump", "-p", str(file)])):
            if name not in there:
                missing.add(f"{file.name} needs {name}")
    return sorted(missing)


def run_alone(package):
    """Nothing but the package can be reached; None where that is not allowed."""
    if os.geteuid() != 0:
        return None
    try:
        return output_of([*own_words(""), f"/{SCRIPT}"], env={"HOME": "/"}, cwd="/",
                         preexec_fn=lambda: os.chroot(package))
    except (subprocess.SubprocessError, PermissionError):
        return None


def problems_of(glint, package):
    expected = output_of([glint, str(ROOT / SCRIPT)])
    script = str(package / SCRIPT)
    found = {
        "by its launcher": output_of([str(package / "glint"), script]),
        "with its own C library": output_of([*own_words(package), script]),
        "alone": run_alone(package),
    }
    problems = missing_libraries(package)
    for how, text in found.items():
        if text is None:
            print(f"SKIPPED, not root: the package {how}")
        elif text != expected:
            problems.append(f"{how} it prints\n{text}instead of\n{expected}")
    doctor = output_of([str(package / "glint"), "doctor"])
    if not doctor.startswith("glint "):
        problems.append(f"glint doctor:\n{doctor}")
    for notebook in (ROOT / "docs/course").glob("*.ipynb"):
        if not (package / "docs/course" / notebook.name).is_file():
            problems.append(f"the course's {notebook.name} is not in it")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    glint = os.path.realpath(parser.parse_args().glint)
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "made"
        words = [str(ROOT / "scripts/package"), "--glint", glint, "--folder", str(made)]
        subprocess.run(words, check=True)
        package = pathlib.Path(folder) / "a new place"
        shutil.move(made, package)
        problems = problems_of(glint, package)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

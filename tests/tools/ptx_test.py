#!/usr/bin/env python3
"""Every kernel of every example becomes CUDA C++, and PTX where NVRTC is found.

    ptx_test.py --glint build/release/glint examples/*.py
"""

import argparse
import pathlib
import re
import subprocess
import sys

from nvrtc import is_missing


def shown(glint, script, stages):
    """How `glint show` ends, and what it prints of the script's stages, all of it compiled."""
    return subprocess.run(
        [glint, "show", "--compile", "--stage", stages, script.name],
        cwd=script.parent,
        capture_output=True,
        text=True,
        timeout=300,
    )


def kernels_of_calls(listing):
    """How many kernels of library calls a listing shows: each once, however many calls share it."""
    headings = re.findall(r"(?m)^// %.* is a library call; where no library does it, .*$", listing)
    return sum(": as above" not in each for each in headings)


def problems_of(glint, script, has_nvrtc):
    run = shown(glint, script, "kernels,cuda,ptx" if has_nvrtc else "kernels,cuda")
    if run.returncode != 0:
        return [f"exit code {run.returncode}", run.stderr.strip()]
    text = run.stdout
    # The headings of a library call's kernel stand in each stage that shows its code.
    of_calls = kernels_of_calls(text) // (2 if has_nvrtc else 1)
    kernels = len(re.findall(r"(?m)^kernel ", text))
    written = len(re.findall(r'(?m)^extern "C" __global__ ', text))
    compiled = len(re.findall(r"(?m)^\.visible \.entry ", text))
    if kernels == 0:
        return ["no kernel"]
    # Those for rows of any length are there for short ones too.
    again = len(re.findall(r"(?m)^// Where rows have at most ", text))
    # Of equal ones at several places the processor has one, a GPU one for each place.
    if kernels > written - again - of_calls:
        return [f"{kernels} kernels, {written - again - of_calls} of them as CUDA C++"]
    named = set(re.findall(r"(?m)^kernel (\w+?)(?:_k\d+)?\(", text))
    entries = set(re.findall(r'(?m)^extern "C" __global__ [^\n]*\n(\w+?)(?:_k\d+)?\(', text))
    if not named <= entries:
        return [f"no CUDA C++ of {', '.join(sorted(named - entries))}"]
    if has_nvrtc and written != compiled:
        why = re.findall(r"(?m)^no PTX.*$", text)
        return [f"{written} entries, {compiled} of them as PTX", *why]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("scripts", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    glint = str(pathlib.Path(options.glint).resolve())
    has_nvrtc = not is_missing(glint, "PTX of the kernels")
    failed = 0
    for script in options.scripts:
        for problem in problems_of(glint, script.resolve(), has_nvrtc):
            failed += 1
            print(f"{script}: {problem}")
    print(f"{len(options.scripts)} scripts, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes each stage of the compiler fail in turn and checks that nobody is hurt.

    fallback_test.py --glint build/release/glint examples/fused.py

Under GLINT_FAIL=STAGE, for each word that it takes, the script must print what it always prints and
exit with 0, say in exactly one warning which stage failed, and name a repro file that `glint ir
--run` runs (`glint run` where capture itself fails: there is no graph yet). A script that compiles nothing has
nothing that could fail: it must print the same, and warn at most of capture, which it may try.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import script_test
from nvrtc import is_missing

WARNING = re.compile(r"^glint: FB\d+ ", re.MULTILINE)
REPRO = re.compile(r"repro: glint (ir --run|run) (\S+)")


def stages(glint):
    """The words that GLINT_FAIL takes, from the program itself."""
    page = subprocess.run(
        [glint, "doc", "GLINT_FAIL"], capture_output=True, text=True, check=True
    ).stdout
    # A crash at launch is no failure that eager execution stands in for; these scripts use no GPU.
    return [each for each in page.split("one of:")[1].split() if each not in ("launch", "cuda")]


def compiles(glint, path):
    """Whether any function of the script reaches kernels."""
    command = [glint, "show", "--stage", "kernels", path.name]
    shown = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    return "== kernels" in shown.stdout


def check(glint, path, stage, compiled):
    """What is wrong with a run of the script while the stage fails, as a list of texts."""
    os.environ["GLINT_FAIL"] = stage
    os.environ["GLINT_BACKEND"] = "interp" if stage == "interp" else "cpu"
    header = script_test.Header(path)
    out, err, code = script_test.run(glint, path, header, oracle=False)
    del os.environ["GLINT_FAIL"], os.environ["GLINT_BACKEND"]
    expected = path.with_suffix(".out").read_text(encoding="utf-8")
    problems = [script_test.difference("standard output", expected, out, header.tolerance)]
    if code != 0:
        problems.append(f"exit code {code}")
    warnings = WARNING.findall(err)
    if not compiled:
        if warnings and stage != "capture":
            problems.append(f"a warning, where nothing is compiled:\n{err}")
        return [problem for problem in problems if problem]
    if len(warnings) != 1 or f"{stage}: made to fail by GLINT_FAIL" not in err:
        problems.append(f"{len(warnings)} warnings, expected one that names {stage}:\n{err}")
    repro = REPRO.search(err)
    if repro:
        command = [glint, *repro.group(1).split(), repro.group(2)]
        again = subprocess.run(command, capture_output=True, text=True, cwd=path.parent)
        if (repro.group(1) == "run") != (stage == "capture"):
            problems.append(f"the repro of {stage} is `{repro.group()}`")
        if again.returncode != 0:
            problems.append(f"the repro file does not run: {again.stderr[-500:]}")
    else:
        problems.append("the warning names no repro file")
    return [problem for problem in problems if problem]


ON_DEVICE = """import torch
f = torch.compile(lambda x: (x * 2 + 1).sum())
print(f(torch.arange(4.0, device="cuda")).item())
"""


def check_on_device(glint):
    """What is wrong where the GPU's kernels fail to compile: the simulated one's."""
    if is_missing(glint, "a failing compile for the GPU"):
        return []
    environment = os.environ | {"GLINT_GPU": "sim", "GLINT_FAIL": "cuda"}
    ran = subprocess.run([glint, "-c", ON_DEVICE], capture_output=True, text=True, env=environment)
    fine = ran.stdout == "16.0\n" and len(WARNING.findall(ran.stderr)) == 1
    if fine and ran.returncode == 0 and "cuda: made to fail by GLINT_FAIL" in ran.stderr:
        return []
    return [f"exit code {ran.returncode}, {ran.stdout!r} and {ran.stderr!r}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--every", type=int, default=1,
                        help="only every so many-th stage, each script beginning at another one")
    parser.add_argument("--gpu", action="store_true", help="also a script of the simulated GPU's")
    parser.add_argument("scripts", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    glint = os.path.abspath(options.glint)
    for problem in check_on_device(glint) if options.gpu else []:
        failed += 1
        print(f"on the GPU with GLINT_FAIL=cuda: {problem}")
    for path in options.scripts:
        compiled = compiles(glint, path.resolve())
        first = len(path.stem) % options.every
        for stage in stages(options.glint)[first::options.every]:
            for problem in check(glint, path.resolve(), stage, compiled):
                failed += 1
                print(f"{path} with GLINT_FAIL={stage}: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

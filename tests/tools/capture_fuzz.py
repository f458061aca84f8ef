#!/usr/bin/env python3
"""Runs random programs eagerly and compiled, and compares what they print.

    capture_fuzz.py --glint build/release/glint --count 60               eager against compiled
    capture_fuzz.py --glint ... --oracle .venv-oracle/bin/python ...     eager against PyTorch, too
    capture_fuzz.py --glint ... --first 17 --count 1 --reduce OUT.py     the smallest such program
    capture_fuzz.py --glint ... --about aliasing                         who shares whose memory
    capture_fuzz.py --glint ... --about operators                        scans, sorts, gathers, reductions
    capture_fuzz.py --glint ... --about keys                             classes, keys, who is the same
    capture_fuzz.py --glint ... --about histories                        writes that the tape sees

`capture_programs.py`, `alias_programs.py`, `operator_programs.py`, `key_programs.py` and
`history_programs.py` write the programs. Each runs eagerly, under `torch.compile`, with each
backend, with `dynamic=True`, and with every call compiled; what one of these prints differently, a
crash and a run without an end are failures. `--reduce` takes away statements as long as the
program still fails in the same mode, and writes what is left.
"""

import argparse
import ast
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import alias_programs
import capture_programs
import history_programs
import key_programs
import operator_programs
import script_test

TOLERANCE = 2e-3
WRITERS = {
    "capture": capture_programs.program,
    "aliasing": alias_programs.program,
    "operators": operator_programs.program,
    "keys": key_programs.program,
    "histories": history_programs.program,
}
MODES = {
    "compile": "@torch.compile",
    "interp": "@torch.compile(backend='interp')",
    "eager-graph": "@torch.compile(backend='eager')",
    "dynamic": "@torch.compile(dynamic=True)",
    "all": "",
}
NOISE = re.compile(r"^glint: FB00[56] .*\n", re.MULTILINE)

# What the oracle runs: every program named in its input, in one process, for torch takes seconds
# to start.
ORACLE = '''
import contextlib, io, signal, sys, random, traceback, torch
torch.set_num_threads(1)
torch.compile = lambda model=None, **options: model if model is not None else (lambda f: f)
def stop(*_): raise SystemExit("too long")
signal.signal(signal.SIGALRM, stop)
for path in map(str.strip, sys.stdin):
    torch.manual_seed(0)
    out = io.StringIO()
    signal.alarm(20)
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
        except BaseException as error:
            print("ends with", type(error).__name__)
    signal.alarm(0)
    open(path + ".oracle", "w").write(out.getvalue())
    print("done", flush=True)
'''


def decorated(source, mode):
    """The program for one mode; the seed of random numbers is set so that runs agree."""
    seeded = source.replace("G_D = {}\n", "G_D = {}\ntorch.manual_seed(0)\nrandom.seed(0)\n", 1)
    return seeded.replace("@COMPILE", MODES.get(mode, ""))


def run(glint, source, mode, folder, name):
    """What the program prints in this mode, and how it ends."""
    path = pathlib.Path(folder) / f"{name}_{mode}.py"
    path.write_text(decorated(source, mode))
    environment = dict(os.environ, NO_COLOR="1", GLINT_THREADS="1")
    if mode == "all":
        environment["GLINT_COMPILE"] = "1"
    try:
        result = subprocess.run(
            [glint, path],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return "", "no end within 60 s"
    errors = NOISE.sub("", result.stderr)
    return (
        result.stdout,
        f"{errors}exit code {result.returncode}" if errors or result.returncode else "",
    )


def failures(glint, source, folder, name, modes, expected=None):
    """(mode, what is wrong) of each mode in which the program prints something else."""
    found = []
    out, end = run(glint, source, "plain", folder, name)
    if expected is not None:
        problem = script_test.difference("eager", expected, out, TOLERANCE)
        if problem:
            found.append(("plain", problem))
    # An uncaught exception prints the same traceback in each mode; a signal is always a failure.
    if (
        "exit code -" in end
        or "no end" in end
        or "AddressSanitizer" in end
        or "runtime error:" in end
    ):
        found.append(("plain", end[-1500:]))
    for mode in modes:
        mode_out, mode_end = run(glint, source, mode, folder, name)
        problem = script_test.difference(mode, out, mode_out, TOLERANCE)
        if not problem and mode_end != end.replace("_plain.py", f"_{mode}.py"):
            problem = mode_end[-1500:] or "ends well, unlike eager"
        if problem:
            found.append((mode, problem))
    return found


def smaller(tree):
    """Every program with one statement less: left out, or replaced by its body."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for start in range(len(block) - 1, -1, -1):
                if start >= len(block):
                    continue
                taken = block[start]
                replacements = [[]] if len(block) > 1 or field != "body" else []
                if isinstance(taken, (ast.If, ast.For, ast.With, ast.Try, ast.While)):
                    replacements.append(taken.body)
                if isinstance(taken, ast.Assign) and isinstance(taken.value, ast.Call):
                    replacements += [
                        [ast.Assign(taken.targets, argument, lineno=0)]
                        for argument in taken.value.args
                        if not isinstance(argument, ast.Starred)
                    ]
                for replacement in replacements:
                    block[start : start + 1] = replacement
                    accepted = yield
                    if accepted:
                        break
                    block[start : start + len(replacement)] = [taken]


def reduce(glint, source, mode, folder, matches):
    """The program without what its failure does not need."""
    tree = ast.parse(source.replace("@COMPILE", "@COMPILE_"))
    changed = True
    while changed:
        changed = False
        steps = smaller(tree)
        accepted = None
        while True:
            try:
                next(steps) if accepted is None else steps.send(accepted)
            except StopIteration:
                break
            try:
                text = ast.unparse(ast.fix_missing_locations(tree)).replace("@COMPILE_", "@COMPILE")
                compile(text.replace("@COMPILE", ""), "reduced", "exec")
                accepted = matches(text)
            except (SyntaxError, ValueError):
                accepted = False
            changed = changed or accepted
    return ast.unparse(tree).replace("@COMPILE_", "@COMPILE") + "\n"


def reduce_failure(glint, source, mode, folder, oracle):
    """Reduces by the failure of one mode; a crash stays a crash, and a difference a difference."""

    def outcome(text):
        expected = oracle.output(text) if mode == "plain" else None
        for where, problem in failures(
            glint, text, folder, "reduced", [] if mode == "plain" else [mode], expected
        ):
            if where != mode or " at 0x" in problem:
                continue
            crash = re.search(
                r"AddressSanitizer: \S+|exit code -\d+|no end|InternalError|FB\d+", problem
            )
            # Two results that differ stay two results; an exception where there was none is another
            # failure.
            errors = re.findall(r"\w+Error", problem.replace(mode, ""))
            return (
                crash.group(0)
                if crash
                else f"differs {errors}"
                if "(nothing)" not in problem
                else "less"
            )
        return None

    wanted = outcome(source)
    return (
        reduce(glint, source, mode, folder, lambda text: outcome(text) == wanted)
        if wanted
        else source
    )


class Oracle:
    """CPython with PyTorch, started once: says what a program prints there."""

    def __init__(self, python, folder):
        self.path = pathlib.Path(folder) / "oracle.py"
        self.process = subprocess.Popen(
            [python, "-W", "ignore", "-c", ORACLE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def output(self, source):
        self.path.write_text(decorated(source, "plain"))
        print(self.path, file=self.process.stdin, flush=True)
        self.process.stdout.readline()
        return pathlib.Path(f"{self.path}.oracle").read_text()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--oracle")
    parser.add_argument("--about", choices=WRITERS, default="capture")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument(
        "--reduce", type=pathlib.Path, help="write the reduced program of the first failure here"
    )
    parser.add_argument("programs", nargs="*", type=pathlib.Path, help="instead of random programs")
    options = parser.parse_args()
    glint, modes = os.path.abspath(options.glint), options.modes.split(",")
    sources = {path.stem: path.read_text() for path in options.programs} or {
        str(seed): WRITERS[options.about](seed)
        for seed in range(options.first, options.first + options.count)
    }
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(options.oracle, folder) if options.oracle else None
        expected = {name: oracle.output(text) for name, text in sources.items()} if oracle else {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(
                lambda name: (
                    name,
                    failures(glint, sources[name], folder, name, modes, expected.get(name)),
                ),
                sources,
            )
            for name, found in results:
                failed += bool(found)
                for mode, problem in found:
                    print(f"program {name}, {mode}: {problem}", flush=True)
                if found and options.reduce:
                    options.reduce.write_text(
                        reduce_failure(glint, sources[name], found[0][0], folder, oracle)
                    )
                    break
        if oracle:
            oracle.close()
    print(f"{len(sources) - failed} programs agree, {failed} do not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs a script and compares what it prints with what CPython and PyTorch printed.

    script_test.py --interpreter build/release/glint tests/scripts/closures.py
    script_test.py --compiled --interpreter build/release/glint tests/scripts/closures.py
    script_test.py --record --interpreter .venv-oracle/bin/python            (all of them)
    script_test.py --record --check --interpreter .venv-oracle/bin/python    (would they change?)

Beside NAME.py lie its records: NAME.out (standard output), NAME.err (standard error, only where
there is some) and, for `input()`, NAME.in. The first comment lines of a script may say:

    # tolerance: 1e-5      numbers may differ by that much, relative to their size; text may not
    # exit: 3              the exit code (otherwise 0, or 1 where there is a NAME.err)
    # glint only           recorded from Glint by hand: what CPython would not print
    # module               imported by a script beside it, no test of its own
    # arguments: a b       the script's sys.argv[1:]
    # option: --compile    a further option of `glint run`; the oracle does not see it

Folder names are cut from tracebacks, so records do not depend on where the checkout lies.
`--compiled` compiles every call of the script, which may make no difference.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["tests/scripts", "examples"]
# The imaginary part of a complex number is one too: its sign stands behind a digit, a `j` behind it.
NUMBER = re.compile(
    r"(?:(?<![\w.])[-+]?|(?<=[\d.])[-+](?=[\d.]+(?:e[-+]?\d+)?j\b))"
    r"(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)(?:(?!\w)|(?=j\b))"
)

# The address sanitizer says so of its own when a script asks for more memory than there is.
SANITIZER = re.compile(r"^==\d+==WARNING: AddressSanitizer failed to allocate .*\n", re.MULTILINE)
# A file of one fixed name: the same script compiled, which may run beside this one, has it too.
SHARED_FILE = re.compile(r"""(?<!f)["']/tmp/\w""")
TORCH_LOG = re.compile(r"^[IWE]\d{4} \d\d:\d\d:.*\n\n?", re.MULTILINE)


class Header:
    """The directives in the comment lines that open a script."""

    def __init__(self, path):
        self.tolerance = None
        self.exit = None
        self.glint_only = False
        self.module = False
        self.arguments = []
        self.options = []
        text = path.read_text(encoding="utf-8")
        self.shares_file = SHARED_FILE.search(text) is not None
        for line in text.splitlines():
            if not line.startswith("#"):
                break
            key, _, value = line[1:].strip().partition(":")
            if key == "tolerance":
                self.tolerance = float(value)
            elif key == "exit":
                self.exit = int(value)
            elif key == "glint only":
                self.glint_only = True
            elif key == "module":
                self.module = True
            elif key == "arguments":
                self.arguments = value.split()
            elif key == "option":
                self.options += value.split()


def run(interpreter, path, header, oracle, compiled=False):
    """Runs the script in its own folder; returns (stdout, stderr, exit code)."""
    options = [] if oracle else (["run", *header.options] if header.options else [])
    given = path.with_suffix(".in")
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1")
    if compiled:
        environment["GLINT_COMPILE"] = "1"
    result = subprocess.run(
        [interpreter, *options, path.name, *header.arguments],
        cwd=path.parent,
        env=environment,
        input=given.read_text(encoding="utf-8") if given.exists() else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=280,
    )
    folder = str(path.parent) + "/"
    error = result.stderr.replace(folder, "")
    if oracle:  # the compile tooling's own log is not part of what a program prints
        error = TORCH_LOG.sub("", error)
    error = SANITIZER.sub("", error)
    return result.stdout, error, result.returncode


def same_line(expected, actual, tolerance):
    """Whether two lines are equal, numbers compared within the tolerance, spaces between them free
    (a number that is one digit longer moves a whole column)."""
    if expected == actual:
        return True
    if tolerance is None:
        return False
    wanted, found = NUMBER.findall(expected), NUMBER.findall(actual)
    if len(wanted) != len(found):
        return False
    skeleton = [
        re.sub(r"\s+", " ", NUMBER.sub("#", line)).replace(" #", "#") for line in (expected, actual)
    ]
    if skeleton[0] != skeleton[1]:
        return False
    return all(
        abs(float(a) - float(b)) <= tolerance * max(1.0, abs(float(a))) + last_digit(a)
        for a, b in zip(wanted, found)
    )


def last_digit(number):
    """One unit in the last printed place of a decimal fraction: rounding may tip it either way."""
    mantissa, _, exponent = number.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 1.01 * 10.0 ** (int(exponent or 0) - decimals) if "." in mantissa else 0.0


def difference(what, expected, actual, tolerance):
    """The first line that differs, with both versions; None where nothing does."""
    wanted, found = expected.splitlines(), actual.splitlines()
    for number in range(max(len(wanted), len(found))):
        a = wanted[number] if number < len(wanted) else None
        b = found[number] if number < len(found) else None
        if a is None or b is None or not same_line(a, b, tolerance):
            missing = "(nothing)"
            return (
                f"{what} differs at line {number + 1}\n"
                f"  expected: {a if a is not None else missing}\n"
                f"  printed:  {b if b is not None else missing}"
            )
    return None


def compare(interpreter, path, compiled=False):
    """Runs one script and returns what is wrong with it, as a list of texts."""
    header = Header(path)
    if header.module:
        return []
    if header.shares_file:
        return ["a file under /tmp needs a name of this run alone: put {os.getpid()} into it"]
    out, err, code = run(interpreter, path, header, False, compiled)
    record, error_record = path.with_suffix(".out"), path.with_suffix(".err")
    expected_error = error_record.read_text(encoding="utf-8") if error_record.exists() else ""
    expected_code = header.exit if header.exit is not None else (1 if expected_error else 0)
    problems = []
    if code != expected_code:
        problems.append(f"exit code {code}, expected {expected_code}")
    if not record.exists():
        return [f"no record {record.name}; make it with scripts/oracle {path.relative_to(ROOT)}"]
    problems.append(
        difference("standard output", record.read_text(encoding="utf-8"), out, header.tolerance)
    )
    problems.append(difference("standard error", expected_error, err, header.tolerance))
    problems = [problem for problem in problems if problem]
    if problems and err and not expected_error:
        problems.append(
            "standard error:\n" + "\n".join("  " + line for line in err.splitlines()[-12:])
        )
    return problems


def record(interpreter, path, check):
    """Writes (or, to check, only compares) the records of one script; returns what is wrong."""
    header = Header(path)
    if header.glint_only or header.module:
        return []
    out, err, code = run(interpreter, path, header, oracle=True)
    expected_code = header.exit if header.exit is not None else (1 if err else 0)
    if code != expected_code:
        return [f"exit code {code}, but the header and records mean {expected_code}\n{err}"]
    if check:
        return compare(interpreter, path)
    path.with_suffix(".out").write_text(out, encoding="utf-8")
    error_record = path.with_suffix(".err")
    if err:
        error_record.write_text(err, encoding="utf-8")
    elif error_record.exists():
        error_record.unlink()
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interpreter", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("scripts", nargs="*", type=pathlib.Path)
    options = parser.parse_args()

    interpreter = os.path.abspath(options.interpreter)
    scripts = [path.resolve() for path in options.scripts] or sorted(
        path for folder in FOLDERS for path in (ROOT / folder).glob("*.py")
    )
    failed = 0
    for path in scripts:
        name = path.relative_to(ROOT)
        problems = (
            record(interpreter, path, options.check)
            if options.record
            else compare(interpreter, path, options.compiled)
        )
        if problems:
            failed += 1
            print(f"{name}: " + "\n".join(problems))
            if not options.record:
                print(f"  again: build/release/glint run {'--compile ' * options.compiled}{name}")
    if len(scripts) > 1:
        print(f"{len(scripts) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""What bench/compare_gpu says was missed: of figures made up for it, and of a run of bench/gpu.py on
the stand-in for CUDA's driver, whose times say nothing, but which measures as on a GPU.

    compare_gpu_test.py --glint build/release/glint --driver build/release/driver bench/compare_gpu
"""
import argparse
import importlib.machinery
import importlib.util
import os
import subprocess
import sys

from nvrtc import is_missing


def module_of(path):
    loader = importlib.machinery.SourceFileLoader("compare_gpu", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_gpu", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


# case, column, Glint's line, PyTorch's microseconds, what was missed
FIGURES = [
    ("row_sum/32768x4096", "eager", {"us": 90.0}, 1.0, ""),
    ("row_sum/32768x4096", "compiled", {"us": 80.0, "elements": 32768 * 4096, "share": 0.8}, 85.0,
     "below 90% of a copy"),
    ("row_sum/4096x1024", "compiled", {"us": 8.0, "elements": 4096 * 1024, "share": 0.8}, 9.0,
     "not known: slower than eager"),
    ("chain/1e+08", "eager", {"us": 9.0}, 9.0, ""),
    ("chain/1e+08", "compiled", {"us": 8.0, "elements": 10**8, "share": 0.95}, 9.0, "none"),
    ("ladder/1", "eager", {"us": 9.0}, None, ""),
    ("ladder/1", "compiled", {"us": 2.0}, 9.0, "none"),
    ("ladder/30", "eager", {"us": 9.0}, None, ""),
    ("ladder/30", "compiled", {"us": 3.0}, 9.0, "not flat"),
    ("ladder_1024/1", "eager", {"us": 9.0}, None, ""),
    ("ladder_1024/1", "compiled", {"us": 3.0}, 9.0, "none"),
    ("ladder_1024/30", "eager", {"us": 9.0}, None, ""),
    ("ladder_1024/30", "compiled", {"us": 3.5}, 9.0, "none"),
    ("launches/3", "default", {"us": 7.0}, 6.0, "slower than PyTorch"),
    ("launches/3", "reduce-overhead", {"us": 7.5}, 8.0, "no gain by recording"),
    ("launches/4", "default", {"us": 7.0}, None, "not known: slower than PyTorch"),
]


def check_figures(compare):
    ours = {(case, column): line for case, column, line, _, _ in FIGURES}
    theirs = {(case, column): {"us": us} for case, column, _, us, _ in FIGURES if us is not None}
    for case, column, _, _, expected in FIGURES:
        found = compare.verdict(case, column, ours, theirs)
        if found != expected:
            sys.exit(f"{case} {column}: {found!r} and not {expected!r}")


def table_of(options, *more):
    environment = {name: value for name, value in os.environ.items() if name != "GLINT_GPU"}
    environment["LD_LIBRARY_PATH"] = options.driver
    command = [sys.executable, options.script, "--glint", options.glint, "--sizes", "small",
               "--no-record", *more]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return done.stdout, {(row[0], row[1]): row for row in rows}


def check_run(options):
    text, alone = table_of(options, "--only", "rows,launches")
    for case in ("row_sum/64x256", "column_sum/64x256", "sum/64x256"):
        row = alone[case, "compiled"]
        if "not known: slower than PyTorch" not in row[-1] or not row[6].endswith("%"):
            sys.exit(f"{row}\n{text}")
    text, held = table_of(options, "--only", "launches", "--peer", options.glint)
    for column in ("default", "reduce-overhead"):
        row = held["launches/3", column]
        if not row[3] or not row[4] or not row[-1] or "not known" in row[-1]:
            sys.exit(f"{row}\n{text}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--glint", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("script")
    options = parser.parse_args()
    check_figures(module_of(options.script))
    if not is_missing(options.glint, "a benchmark on a driver"):
        check_run(options)


if __name__ == "__main__":
    main()

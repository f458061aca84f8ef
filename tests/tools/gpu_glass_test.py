#!/usr/bin/env python3
"""What the glass says of work on the simulated GPU: `glint show` of the kernels that library calls launched,
`:diverge` of the stages of a region.

    gpu_glass_test.py --glint build/release/glint

Each kernel has a row in the table of launches, its CUDA C++ and PTX, and its counts by line; what the table
says of bytes is what the call moves, of a slice the slice.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from nvrtc import is_missing

SCRIPT = """import torch
from torch import nn

@torch.compile
def added(x, i, v):
    return x.index_add(0, i, v)

@torch.compile
def put(x, i, v):
    y = x.clone()
    y[i] = v
    return y

@torch.compile
def ordered(x):
    return torch.sort(x)[0]

@torch.compile
def sliced(x):
    return x[:10] + 1

@torch.compile
def exponential(x):
    return torch.exp(x)

layers = torch.compile(nn.Sequential(nn.Linear(64, 128), nn.Linear(128, 32)).to("cuda"))
x = torch.ones(100, 64, device="cuda")
i = torch.arange(20, device="cuda")
with torch.no_grad():
    layers(x)
added(x, i, x[:20].clone()), put(x, i, x[:20].clone()), ordered(x), sliced(x), exponential(x)
"""

#: A stage of a function, and what it shows.
EXPECTED = [
    ("kernels added", r"(?m)^scatter %index_add +\d+ +256 +~?\d+ +0 +\d+ % +30880 +25600 "),
    ("cuda added", r"// %index_add: `scatter_add` is a library call, done by `scatter`"),
    ("cuda added", r"(?m)^scatter\(float\* out, "),
    ("ptx added", r"(?m)^\.visible \.entry scatter\("),
    ("gpu added", r"(?m)^scatter: \d launch(es)?, the last of \d+ blocks? of 256 threads"),
    ("gpu added", r"(?m)^ +\d+ +\d+ .* float given = "),
    ("kernels put", r"(?m)^scatter %\w+ +\d+ +256 "),
    ("gpu ordered", r"(?m)^sort_\w+: 1 launch, "),
    ("kernels sliced", r"(?m)^add +\d+ +256 +~?\d+ +0 +\d+ % +2560 +2560 "),
    ("kernels sliced", r"reads 2560 bytes, writes 2560"),
    # A kernel has one name, in all texts and tables.
    ("kernels sliced", r"(?m)^kernel add\("),
    ("cuda sliced", r"(?m)^add\("),
    ("ptx sliced", r"(?m)^\.visible \.entry add\("),
    ("gpu sliced", r"(?m)^add: 1 launch, "),
    ("kernels exponential", r"(?m)^kernel exp_kernel\("),
    ("kernels exponential", r"(?m)^exp_kernel +\d+ +256 "),
    ("cuda exponential", r"(?m)^exp_kernel\("),
    ("gpu exponential", r"(?m)^exp_kernel: 1 launch, "),
    ("kernels Sequential.forward", r"(?m)^matrix_product %\w+ +56 +256 +~?\d+ +\d+ +\d+ % +\d+ +51200 "),
    ("kernels Sequential.forward", r"(?m)^matrix_product %\w+ +14 +256 +~?\d+ +\d+ +\d+ % +\d+ +12800 "),
    ("gpu Sequential.forward",
     r"// the counts of `matrix_product` are of all launches together: of %(\w+), %(\w+)\n"
     r"(?s:.*)// `matrix_product` is counted above, with %\1"),
]


def shown(glint):
    """Each stage of each function (`gpu added`) with its text."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        done = subprocess.run(
            [glint, "show", "--stage", "kernels,cuda,ptx,gpu", script],
            env={**os.environ, "GLINT_GPU": "sim", "GLINT_CACHE": os.path.join(folder, "cache")},
            capture_output=True, text=True, timeout=600)
    parts = re.split(r"(?m)^== (.*)$", done.stdout)
    return dict(zip(parts[1::2], parts[2::2])), done.stderr


# A strided input, a draw, and a gradient.
DIVERGED = """import torch
x = torch.arange(12.0, device="cuda").view(3, 4)
w = torch.ones(4, 4, device="cuda", requires_grad=True)
@torch.compile
def rows(x):
    return torch.softmax(x.t() * 2, 0).sum(1)

@torch.compile
def trained(x, w):
    return torch.dropout(torch.relu(x @ w), 0.5, True).sum()

_ = rows(x)
:diverge rows
trained(x, w).backward()
:diverge trained
:diverge trained.backward
@torch.compile
def soft(x):
    return x * 3

_ = soft(torch.ones(3))
:step soft
:step --gpu soft
"""
VERDICTS = [
    r"(?m)^  interp +agrees ",
    r"(?m)^  cuda +agrees ",
    "(?m)^all stages of `rows` agree$",
    "(?m)^  lower +not run +`native_dropout` draws on the GPU$",
    "(?m)^the stages of `trained` that were run agree$",
    "(?m)^all stages of `trained.backward` agree$",
    # The function, and not a kernel whose name begins so.
    r"(?m)^%mul = multiply %x, 3 ",
    "(?m)^no kernel of `soft` ran on a simulated GPU$",
]


def diverged(glint):
    """What `:diverge` prints, and errors."""
    done = subprocess.run([glint, "-iq"], input=DIVERGED, env={**os.environ, "GLINT_GPU": "sim"},
                          capture_output=True, text=True, timeout=600)
    return done.stdout, done.stderr or (f"exit code {done.returncode}" if done.returncode else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    options = parser.parse_args()
    glint = os.path.abspath(options.glint)
    if is_missing(glint, "kernels of library calls, looked at"):
        return 0
    texts, errors = shown(glint)
    missing = [(stage, pattern) for stage, pattern in EXPECTED
               if not re.search(pattern, texts.get(stage, ""))]
    for stage, pattern in missing:
        print(f"{stage} does not show {pattern}:\n{texts.get(stage, 'nothing')[:2000]}")
    said, wrong = diverged(glint)
    unsaid = [each for each in VERDICTS if not re.search(each, said)]
    if unsaid:
        print(f":diverge does not say {unsaid}:\n{said}")
    print(errors, wrong, end="")
    return 1 if missing or errors or unsaid or wrong else 0


if __name__ == "__main__":
    sys.exit(main())

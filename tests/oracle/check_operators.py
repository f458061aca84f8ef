"""Runs the samples that dump_operators wrote through PyTorch and compares dtype, sizes, values.

    dump_operators > samples.py; python tests/oracle/check_operators.py samples.py
"""

import collections
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import (bfloat16, bool, float16, float32, float64, int8, int16, int32, int64,  # noqa
                   uint8)

warnings.simplefilter("ignore")
inf, nan = float("inf"), float("nan")
failures = collections.OrderedDict()
counts = collections.Counter()


def T(dtype, sizes, strides, offset, storage):
    flat = torch.tensor(storage, dtype=torch.float64 if dtype.is_floating_point else torch.int64)
    flat = flat.to(dtype)
    if flat.numel() == 0:
        return torch.empty(sizes, dtype=dtype)
    return torch.as_strided(flat, sizes, strides, offset)


def values(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def differs(name, got, wanted):
    if got.dtype != wanted.dtype:
        return f"dtype {got.dtype}, PyTorch {wanted.dtype}"
    if got.shape != wanted.shape:
        return f"shape {tuple(got.shape)}, PyTorch {tuple(wanted.shape)}"
    if name not in ("empty", "empty_like") and got.numel() > 1 and got.stride() != wanted.stride():
        counts["other strides: " + name] += 1
    if name in ("empty", "empty_like"):
        return None
    relative = {float32: 2e-5, float64: 1e-10, bfloat16: 3e-2, float16: 4e-3}.get(got.dtype, 0)
    close = torch.isclose(
        got.double(), wanted.double(), rtol=relative, atol=relative, equal_nan=True
    )
    if close.all():
        return None
    at = (~close).flatten().nonzero()[0].item()
    return f"element {at}: {got.flatten()[at]}, PyTorch {wanted.flatten()[at]}"


# Where PyTorch's own answer is not determined: the order of equal elements; erf near infinity in
# its vector code.
UNDETERMINED = {"sort", "argsort", "topk"}


def case(name, place, function, arguments, results):
    counts["cases"] += 1
    positional = [value for key, value in arguments if not key]
    keywords = {key: value for key, value in arguments if key}
    target = {"torch": torch, "F": F, "Tensor": torch.Tensor}[place]
    try:
        wanted = values(getattr(target, function)(*positional, **keywords))
    except Exception as error:
        problem = f"PyTorch raises {type(error).__name__}: {str(error).splitlines()[0][:100]}"
        failures.setdefault(name, []).append((problem, arguments))
        return
    if len(wanted) != len(results):
        problem = f"{len(results)} results, PyTorch {len(wanted)}"
        failures.setdefault(name, []).append((problem, arguments))
        return
    for got, want in zip(results, wanted):
        if name in UNDETERMINED and not got.dtype.is_floating_point:
            continue
        if name == "gelu":
            want = torch.where(want.isnan() & got.isinf(), got, want)
        problem = differs(name, got, want)
        if problem:
            failures.setdefault(name, []).append((problem, arguments))


exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))
for name, found in failures.items():
    print(f"{name}: {len(found)} differ")
    for problem, arguments in found[:3]:
        shown = [f"{key}{tuple(v.shape)}{v.dtype}" if isinstance(v, torch.Tensor) else f"{key}{v}"
                 for key, v in arguments]
        print("   ", problem, "|", " ".join(shown)[:160])
for key, count in counts.items():
    print(key, count)
sys.exit(1 if failures else 0)

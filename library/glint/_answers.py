"""Runs what a learner wrote, and says in words how its results differ from others.

    run = run_compiled(f, [(x,), (y,)])
    run.results, run.changed                 what the calls gave; whether one wrote to its inputs
    run.regions                              what was compiled for them: the log's records
    difference(torch.zeros(3), torch.ones(3))  "0 at [0], not 1: the largest difference, 1"

Inputs are as they were when a run is over, so that one try says nothing to the next.
"""
import math
import traceback

import _glint_report


class _Run:
    """Calls of one function; `raised` has the lines of the traceback where one of them raised."""

    def __init__(self):
        self.results = []
        self.changed = []
        self.raised = []
        self.regions = []


def _tensors(value):
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for each in value for tensor in _tensors(each)]
    return []


def _snapshot(value):
    """The value with tensors of its own, which a later write to an input does not reach."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if type(value) in (tuple, list):
        return type(value)(_snapshot(each) for each in value)
    if type(value) is dict:
        return {key: _snapshot(each) for key, each in value.items()}
    return value


def _put_back(kept):
    """Whether a tensor is not what was kept of it; it is then made so."""
    import torch

    changed = False
    for tensor, before in kept:
        if tensor.shape != before.shape:
            changed = True
            tensor.data = before
            continue
        now = tensor.detach()
        if not ((now == before) | (now != now) & (before != before)).all():
            changed = True
            with torch.no_grad():
                tensor.copy_(before)
    return changed


def _of_learner(text):
    """A traceback's lines without the frames of the grader."""
    kept, skips = [], False
    for line in text:
        if line.startswith("  File "):
            skips = "/course.py" in line or "/_answers.py" in line
        elif not line.startswith("    "):
            skips = False
        if not skips:
            kept.append(line.rstrip("\n"))
    return kept


def run_eager(function, calls):
    run = _Run()
    for arguments in calls:
        kept = [(tensor, tensor.detach().clone()) for tensor in _tensors(arguments)]
        try:
            run.results.append(_snapshot(function(*arguments)))
        except Exception as error:
            run.raised = _of_learner(traceback.format_exception(error))
            return run
        finally:
            run.changed.append(_put_back(kept))
    return run


def run_compiled(function, calls):
    import torch

    since = _glint_report.mark()
    regions = []
    try:
        run = run_eager(torch.compile(function), calls)
    finally:
        regions = _glint_report.regions(since)
    run.regions = regions
    return run


def _of_tensors(mine, right):
    import torch

    if mine.shape != right.shape:
        return f"its shape is {tuple(mine.shape)}, not {tuple(right.shape)}"
    if mine.dtype != right.dtype:
        return f"its dtype is {mine.dtype}, not {right.dtype}"
    if torch.allclose(mine, right, equal_nan=True):
        return ""
    apart = (mine.double() - right.double()).abs().flatten()
    apart = torch.where(torch.isnan(apart), float("inf"), apart)
    same = (mine == right) | (torch.isnan(mine) & torch.isnan(right))
    apart = torch.where(same.flatten(), 0.0, apart)
    at = int(apart.argmax())
    place, left = [], at
    for size in reversed(mine.shape):
        place.insert(0, left % size)
        left //= size
    here, there = mine.flatten()[at].item(), right.flatten()[at].item()
    apart = apart[at].item()
    return f"{here:.6g} at {place}, not {there:.6g}: the largest difference, {apart:.3g}"


def difference(mine, right):
    """How a result differs from the right one, in words; empty if it does not."""
    import torch

    tensors = [isinstance(each, torch.Tensor) for each in (mine, right)]
    if all(tensors):
        return _of_tensors(mine, right)
    if any(tensors) or type(mine) is not type(right):
        return f"it is a {type(mine).__name__}, not a {type(right).__name__}"
    if isinstance(right, dict):
        if list(mine) != list(right):
            return f"its keys are {list(mine)}, not {list(right)}"
        mine, right = list(mine.values()), list(right.values())
    if isinstance(right, (tuple, list)):
        if len(mine) != len(right):
            return f"it has {len(mine)} items, not {len(right)}"
        each = [difference(*pair) for pair in zip(mine, right)]
        return next((f"item {i}: {words}" for i, words in enumerate(each) if words), "")
    if isinstance(right, float):
        is_same = math.isclose(mine, right, rel_tol=1e-5, abs_tol=1e-8) or (mine != mine and right != right)
    else:
        is_same = mine == right
    return "" if is_same else f"it is {mine!r}, not {right!r}"

"""What the functions of `torch.linalg` share: their checks, errors and results."""
from collections import namedtuple

import torch
from torch._output import scalar_name


class _LinAlgError(RuntimeError):
    """A matrix that a function cannot do its work on, for the numbers in it."""


_LinAlgError.__module__ = "torch._C"


def result_type(name, fields):
    """A class of `torch.return_types`: a named tuple that shows a field a line."""
    made = namedtuple(name, fields)
    made.__module__ = "torch.return_types"
    made.__repr__ = _shown
    return made


def _shown(self):
    lines = [f"{field}={value!r}" for field, value in zip(self._fields, self)]
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(lines) + ")"


def check_floating(name, A):
    if not A.is_floating_point():
        raise NotImplementedError(f"{name}: Expected a floating point or complex tensor as input. "
                                  f"Got {scalar_name(A)}")


def check_dtype(name, A, kernel=None, of_floats=True):
    """Of float32 or float64. `kernel`: the one that is said to lack other dtypes, or, `of_floats`, those of
    less precision."""
    if A.dtype in (torch.float32, torch.float64):
        return
    if of_floats:
        check_floating(name, A)
    if kernel is None:
        raise NotImplementedError(f"{name}: Low precision dtypes not supported. Got {scalar_name(A)}")
    raise NotImplementedError(f'"{kernel}_{A.device.type}" not implemented for \'{scalar_name(A)}\'')


def check_matrix(name, A, argument="A", kernel=None, of_floats=True):
    """At least two dimensions, of a dtype as `check_dtype` wants it."""
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    check_dtype(name, A, kernel, of_floats)


def check_square(name, A, argument="A", kernel=None, of_floats=True):
    check_matrix(name, A, argument, kernel, of_floats)
    if A.size(-1) != A.size(-2):
        raise RuntimeError(f"{name}: {argument} must be batches of square matrices, but they are "
                           f"{A.size(-2)} by {A.size(-1)} matrices")


def check_same_dtype(name, A, B, first="A", second="B"):
    if A.dtype != B.dtype:
        raise RuntimeError(f"{name}: Expected {first} and {second} to have the same dtype, but found "
                           f"{first} of type {scalar_name(A)} and {second} of type {scalar_name(B)} "
                           "instead")


def check_solvable(name, A, B, left, fits):
    """That the equation A @ X = B, or X @ A = B, has a meaning: `fits`."""
    if not fits:
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation {equation} "
                           f"({A.size(-2)}x{A.size(-1)} and {B.size(-2)}x{B.size(-1)})")


def first_failure(info):
    """Of the number of the step that failed in each matrix of a batch, 0 where none did: what names
    the first such matrix, and its step; None: none failed."""
    failed = info.reshape(-1).tolist()
    for i, step in enumerate(failed):
        if step:
            return (f"(Batch element {i}): " if info.dim() else "", step)
    return None


def transposed(A):
    return A.transpose(-2, -1)


def eye_like(A, size):
    """Identity matrices of `size`, as many as the batch has."""
    one = torch.eye(size, dtype=A.dtype, device=A.device)
    return one.expand(A.shape[:-2] + (size, size))


def is_recorded(A):
    """Whether somebody may ask for the derivative of what is computed with A."""
    return A.requires_grad and torch.is_grad_enabled()


def from_lower(A):
    """The symmetric matrix of which the lower half is given."""
    return A.tril() + transposed(A.tril(-1))

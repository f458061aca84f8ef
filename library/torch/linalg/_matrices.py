"""What the functions of `torch.linalg` share: their checks, errors and results."""
import torch
from collections import namedtuple


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


_KINDS = {torch.float32: "Float", torch.float64: "Double", torch.float16: "Half",
          torch.bfloat16: "BFloat16", torch.int64: "Long", torch.int32: "Int", torch.int16: "Short",
          torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool"}


def check_floating(name, A):
    if not A.is_floating_point():
        raise NotImplementedError(f"{name}: Expected a floating point or complex tensor as input. "
                                  f"Got {_KINDS[A.dtype]}")


def check_matrix(name, A, argument="A", low_precision=None):
    """At least two dimensions, of float32 or float64. `low_precision`: the kernel that others lack."""
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    check_floating(name, A)
    if A.dtype in (torch.float32, torch.float64):
        return
    if low_precision is None:
        raise NotImplementedError(f"{name}: Low precision dtypes not supported. Got {_KINDS[A.dtype]}")
    raise NotImplementedError(f'"{low_precision}_{A.device.type}" not implemented for '
                              f"'{_KINDS[A.dtype]}'")


def check_square(name, A, argument="A", low_precision=None):
    check_matrix(name, A, argument, low_precision)
    if A.size(-1) != A.size(-2):
        raise RuntimeError(f"{name}: {argument} must be batches of square matrices, but they are "
                           f"{A.size(-2)} by {A.size(-1)} matrices")


def check_same_dtype(name, A, B, first="A", second="B"):
    if A.dtype != B.dtype:
        raise RuntimeError(f"{name}: Expected {first} and {second} to have the same dtype, but found "
                           f"{first} of type {_KINDS[A.dtype]} and {second} of type {_KINDS[B.dtype]} "
                           "instead")


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

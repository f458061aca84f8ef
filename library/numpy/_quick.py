"""The short way through an operation: of arrays of one dtype, or of an array and a number that its dtype holds.

    quick = pair(torch.subtract, "same", True, operator.sub)
    quick(a, b), quick(a, 0.5), quick(2, a)     the result, or None: then the long way (`_ufuncs`) has to say more
                                                (another dtype is the result's, a value does not fit, it fails)

Most operations of a script on small arrays are such, and finding out what dtypes have in common costs more
than they do. There is nothing here that the long way would not give.
"""
import torch
from numpy._array import ndarray, wrap_result
from numpy._scalars import float64

_FLOATS = (torch.float64, torch.float32)
# In which dtypes an operation computes when its operands have them, by its domain.
_OWN = {"same": (*_FLOATS, torch.int64), "truth": (*_FLOATS, torch.int64), "quotient": _FLOATS, "float": _FLOATS,
        "bits": (torch.bool, torch.int64), "logical": (torch.bool,)}
_WHOLE = 1 << 53  # ints below it are float64s too
_LARGE = 1e38     # floats below it are no infinity as float32s


def own_dtypes(domain):
    return _OWN[domain]


def fitting(value, dtype):
    """What an operand is beside a tensor of that dtype: a tensor, or a number; None where the dtype is not both's."""
    kind = type(value)
    if kind is ndarray:
        tensor = value._tensor
        return tensor if tensor.dtype is dtype else None
    if kind is float:
        return value if dtype is torch.float64 or dtype is torch.float32 and -_LARGE < value < _LARGE else None
    if kind is int:
        return value if dtype is not torch.bool and -_WHOLE < value < _WHOLE else None
    return value._number if kind is float64 and dtype is torch.float64 else None


def pair(kernel, domain, takes_numbers, after_number=None):
    """`takes_numbers` says whether the kernel may have a number for its second tensor; where there is one for the
    first, `after_number` is its kernel, None where only tensors have the same last digit."""
    own = _OWN[domain]

    def quick(a, b):
        if type(a) is ndarray:
            first = a._tensor
            dtype = first.dtype
            second = fitting(b, dtype) if dtype in own else None
            if second is None:
                return None
            if not takes_numbers and type(second) is not torch.Tensor:
                second = torch.tensor(second, dtype=dtype, device="cpu")
        else:
            if type(b) is not ndarray:
                return None
            second = b._tensor
            dtype = second.dtype
            first = fitting(a, dtype) if dtype in own else None
            if first is None:
                return None
            if after_number is not None:
                return wrap_result(after_number(first, second))
            first = torch.tensor(first, dtype=dtype, device="cpu")
        try:
            return wrap_result(kernel(first, second))
        except RuntimeError:
            return None

    return quick


def in_place(kernel, domain):
    """`quick(a, b)` writes the result into `a`; whether it did."""
    own = _OWN[domain]

    def quick(a, b):
        tensor = a._tensor
        dtype = tensor.dtype
        second = fitting(b, dtype) if dtype in own and not a._locked else None
        if second is None:
            return False
        try:
            kernel(tensor, second)
        except RuntimeError:
            return False
        return True

    return quick

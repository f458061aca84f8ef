"""Whether arrays are the same, or nearly: `allclose(a, b)`, `array_equal(a, b)`."""
import torch
from numpy._array import wrap_result
from numpy._dtypes import promote
from numpy._values import operand


def _is_complex(value):
    return getattr(type(value), "_is_complex_number", False)


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|a - b| <= atol + rtol * |b|, element by element."""
    if _is_complex(a) or _is_complex(b):
        import numpy

        return numpy.abs(numpy.subtract(a, b)) <= atol + rtol * numpy.abs(b)
    first, second = operand(a), operand(b)
    common = promote(first.dtype, second.dtype)
    if not common.is_floating_point:
        first, second = first.to(torch.float64), second.to(torch.float64)
    else:
        first, second = first.to(common), second.to(common)
    try:
        near = torch.abs(first - second) <= atol + rtol * torch.abs(second)
    except RuntimeError:
        from numpy._ufuncs import _shapes_do_not_fit

        raise _shapes_do_not_fit([first, second]) from None
    result = (first == second) | (near & torch.isfinite(second))
    if equal_nan:
        result = result | (torch.isnan(first) & torch.isnan(second))
    return wrap_result(result)


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1, a2, equal_nan=False):
    first, second = operand(a1), operand(a2)
    if first.shape != second.shape:
        return False
    common = promote(first.dtype, second.dtype)
    first, second = first.to(common), second.to(common)
    same = first == second
    if equal_nan and common.is_floating_point:
        same = same | (torch.isnan(first) & torch.isnan(second))
    return bool(same.all())


def array_equiv(a1, a2):
    try:
        return bool((operand(a1) == operand(a2)).all())
    except RuntimeError:
        return False


def shares_memory(a, b, max_work=None):
    return may_share_memory(a, b)


def may_share_memory(a, b, max_work=None):
    """Whether the stretches of memory of two arrays overlap."""
    import _storage

    first, second = operand(a), operand(b)
    if first.numel() == 0 or second.numel() == 0 or _storage.key(first) != _storage.key(second):
        return False
    starts, ends = [], []
    for each in (first, second):
        starts.append(each.data_ptr())
        reach = sum([(size - 1) * step for size, step in zip(each.shape, each.stride())]) + 1
        ends.append(each.data_ptr() + reach * each.element_size())
    return starts[0] < ends[1] and starts[1] < ends[0]


class errstate:
    """`with np.errstate(divide="ignore"):`. Nothing is warned of here, so that ignoring is all it can do."""

    def __init__(self, **kwargs):
        seterr(**kwargs)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        pass

    def __call__(self, function):
        return function


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    for each in (all, divide, over, under, invalid):
        if each not in (None, "ignore", "warn"):
            raise NotImplementedError(f"'{each}' at a division by zero and the like is not there: such numbers are inf "
                                      "or nan, without a word")
    return {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def geterr():
    return seterr()

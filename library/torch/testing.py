"""`torch.testing.assert_close`: fails with a message that says how far apart two results are.

    assert_close({"a": [x, y]}, {"a": [x, y + 1]})     ... The failure occurred for item ['a'][1]

1. `_pairs` takes containers apart; where they differ in their form, or hold what cannot be compared, it
   raises at once.
2. Each pair of leaves has a function that gives None, or says what differs. The first to say so is raised.
"""
import cmath
from collections.abc import Mapping, Sequence

import torch

_tolerances = {
    torch.float64: (1e-7, 1e-7),
    torch.complex128: (1e-7, 1e-7),
    torch.float32: (1.3e-6, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
}
_number_dtypes = {float: torch.float64, complex: torch.complex128}


class _Unlike(Exception):
    """What is wrong with the form of two results: the class of the error, its words, and where."""

    def __init__(self, kind, words, place):
        self.error = kind(_with_place(words, place))


def _with_place(words, place):
    if not place:
        return words
    return f"{words}\n\nThe failure occurred for item {''.join(str([key]) for key in place)}"


# ---- Leaves -------------------------------------------------------------------------------------

class _Options:
    def __init__(self, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride):
        self.rtol, self.atol, self.equal_nan = rtol, atol, equal_nan
        self.check_device, self.check_dtype = check_device, check_dtype
        self.check_layout, self.check_stride = check_layout, check_stride

    def tolerances(self, *dtypes):
        """Those that were given, or the larger ones of the dtypes."""
        if self.rtol is not None:
            return self.rtol, self.atol
        known = [_tolerances.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return max(rtol for rtol, _ in known), max(atol for _, atol in known)


def _allowed(tolerance, is_exact):
    return "" if is_exact else f" (up to {tolerance} allowed)"


def _far_scalars(actual, expected, rtol, atol):
    is_exact = rtol == 0 and atol == 0
    distance = abs(actual - expected)
    ratio = float("inf") if expected == 0 else distance / abs(expected)
    return (f"Scalars are not {'equal' if is_exact else 'close'}!\n\nExpected {expected} but got {actual}.\n"
            f"Absolute difference: {distance}{_allowed(atol, is_exact)}\n"
            f"Relative difference: {ratio}{_allowed(rtol, is_exact)}")


def _compare_numbers(actual, expected, options):
    if options.check_dtype and type(actual) is not type(expected):
        return f"The (d)types do not match: {type(actual)} != {type(expected)}."
    if actual == expected or (options.equal_nan and cmath.isnan(actual) and cmath.isnan(expected)):
        return None
    rtol, atol = options.tolerances(_number_dtypes.get(type(actual)), _number_dtypes.get(type(expected)))
    distance = abs(actual - expected)
    if cmath.isfinite(distance) and distance <= atol + rtol * abs(expected):
        return None
    return _far_scalars(actual, expected, rtol, atol)


def _unlike_attribute(actual, expected, options):
    """The words for the first attribute in which two tensors differ."""
    checks = [
        ("shape", True, lambda x: x.shape),
        ("layout", options.check_layout, lambda x: x.layout),
        ("device", options.check_device, lambda x: x.device),
        ("dtype", options.check_dtype, lambda x: x.dtype),
        ("stride()", options.check_stride, lambda x: x.stride()),
    ]
    for name, is_checked, read in checks:
        if is_checked and read(actual) != read(expected):
            return f"The values for attribute '{name}' do not match: {read(actual)} != {read(expected)}."
    return None


def _place(flat, shape):
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return tuple(reversed(place))


def _greatest(kind, numbers, shape, allowed):
    value, flat = torch.max(numbers, 0)
    return f"Greatest {kind} difference: {value.item()} at index {_place(flat.item(), shape)}{allowed}"


def _compare_tensors(actual, expected, options):
    actual, expected = actual.detach(), expected.detach()
    unlike = _unlike_attribute(actual, expected, options)
    if unlike is not None:
        return unlike
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    if actual.is_sparse or expected.is_sparse:
        actual, expected = actual.to_dense(), expected.to_dense()
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    dtype = torch.promote_types(actual.dtype, expected.dtype)
    actual, expected = actual.to(dtype), expected.to(dtype)
    close = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if bool(close.all()):
        return None
    if actual.dim() == 0:
        return _far_scalars(actual.item(), expected.item(), rtol, atol)
    is_exact = rtol == 0 and atol == 0
    shape, total = tuple(actual.shape), actual.numel()
    if not dtype.is_floating_point and not dtype.is_complex:
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    close, actual, expected = close.flatten(), actual.flatten(), expected.flatten()
    wrong = total - int(close.sum())
    distance = torch.abs(actual - expected)
    distance[close] = 0
    ratio = distance / torch.abs(expected)
    ratio[close] = 0
    return (f"Tensor-likes are not {'equal' if is_exact else 'close'}!\n\n"
            f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})\n"
            f"{_greatest('absolute', distance, shape, _allowed(atol, is_exact))}\n"
            f"{_greatest('relative', ratio, shape, _allowed(rtol, is_exact))}")


# ---- Containers ---------------------------------------------------------------------------------

def _both(kinds, actual, expected):
    return isinstance(actual, kinds) and isinstance(expected, kinds)


def _as_tensors(actual, expected, allow_subclasses):
    """Two of one kind as tensors; None if they are not."""
    is_related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if not is_related or (not allow_subclasses and type(actual) is not type(expected)):
        return None
    try:
        return torch.as_tensor(actual), torch.as_tensor(expected)
    except Exception:
        return None


def _leaf(actual, expected, allow_subclasses, options, place):
    """A function that compares two leaves."""
    if actual is None or expected is None:
        return lambda: None if actual is expected else f"None mismatch: {actual} is not {expected}"
    if _both(bool, actual, expected):
        return lambda: None if actual is expected else f"Booleans mismatch: {actual} is not {expected}"
    is_number = _both((int, float, complex), actual, expected)
    tensors = None if is_number else _as_tensors(actual, expected, allow_subclasses)
    if not is_number and tensors is None:
        raise _Unlike(TypeError, "No comparison pair was able to handle inputs of type "
                      f"{type(actual)} and {type(expected)}.", place)
    if (options.rtol is None) != (options.atol is None):
        missing = "rtol" if options.rtol is None else "atol"
        raise _Unlike(ValueError, "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                      f"{missing}.", place)
    if is_number:
        return lambda: _compare_numbers(actual, expected, options)
    return lambda: _compare_tensors(*tensors, options)


def _sorted_keys(keys):
    try:
        return sorted(keys)
    except Exception:
        return list(keys)


def _pairs(actual, expected, allow_subclasses, options, place=()):
    """The leaves as (a function that compares them, where they are)."""
    if _both(Sequence, actual, expected) and not _both(str, actual, expected):
        if len(actual) != len(expected):
            raise _Unlike(AssertionError,
                          f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", place)
        keys = range(len(actual))
    elif _both(Mapping, actual, expected):
        absent = [key for key in expected if key not in actual]
        added = [key for key in actual if key not in expected]
        if absent or added:
            raise _Unlike(AssertionError, "The keys of the mappings do not match:\n"
                          f"Missing keys in the actual mapping: {_sorted_keys(absent)}\n"
                          f"Additional keys in the actual mapping: {_sorted_keys(added)}", place)
        keys = _sorted_keys(actual)
    else:
        return [(_leaf(actual, expected, allow_subclasses, options, place), place)]
    return [pair for key in keys
            for pair in _pairs(actual[key], expected[key], allow_subclasses, options, (*place, key))]


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None,
                 equal_nan=False, check_device=True, check_dtype=True, check_layout=True,
                 check_stride=False, msg=None):
    """Raises AssertionError where two results, or those in two containers, are further apart than `atol` and
    `rtol` times the expected ones."""
    options = _Options(rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride)
    try:
        pairs = _pairs(actual, expected, allow_subclasses, options)
    except _Unlike as unlike:
        raise unlike.error from None
    for compare, place in pairs:
        problem = compare()
        if problem is not None:
            problem = _with_place(problem, place)
            raise AssertionError(problem if msg is None else msg(problem) if callable(msg) else msg)

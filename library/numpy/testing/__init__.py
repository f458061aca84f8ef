"""`numpy.testing`: assertions about arrays.

    np.testing.assert_allclose(a, b, rtol=1e-5)     raises AssertionError where they differ

The message names what was compared; NumPy's counts the elements that differ as well, as here.
"""
import numpy
from numpy._values import asarray


def _percent(part, whole):
    return f"{100 * part / whole:.3g}%"


def _fail(header, first, second, lines, err_msg):
    text = "\n".join([header + ("\n" + err_msg if err_msg else ""), *lines, f" ACTUAL: {first!r}",
                      f" DESIRED: {second!r}"])
    raise AssertionError("\n" + text)


def _compare(holds, actual, desired, header, err_msg):
    first, second = asarray(actual), asarray(desired)
    if first.shape != second.shape and first.ndim and second.ndim:
        _fail(header, first, second, [f"(shapes {first.shape}, {second.shape} mismatch)"], err_msg)
    same = asarray(holds(first, second))
    if not same.all():
        wrong = same.size - int(same.sum())
        _fail(header, first, second,
              [f"Mismatched elements: {wrong} / {same.size} ({_percent(wrong, same.size)})"], err_msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True):
    _compare(lambda a, b: numpy.isclose(a, b, rtol, atol, equal_nan), actual, desired,
             f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", err_msg)


def _equal(a, b):
    same = a == b
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        same = same | (numpy.isnan(a) & numpy.isnan(b))
    return same


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    _compare(_equal, actual, desired, "Arrays are not equal", err_msg)


def assert_equal(actual, desired, err_msg="", verbose=True):
    if isinstance(desired, (numpy.ndarray, numpy.generic)) or isinstance(actual, (numpy.ndarray, numpy.generic)):
        assert_array_equal(actual, desired, err_msg)
    elif not actual == desired:
        _fail("Items are not equal:", actual, desired, [], err_msg)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    _compare(lambda a, b: abs(a - b) < 1.5 * 10.0 ** -decimal, actual, desired,
             f"Arrays are not almost equal to {decimal} decimals", err_msg)


assert_almost_equal = assert_array_almost_equal


def assert_array_less(x, y, err_msg="", verbose=True):
    _compare(lambda a, b: a < b, x, y, "Arrays are not strictly ordered `x < y`", err_msg)


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg)


class _Raises:
    def __init__(self, kinds):
        self._kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            raise AssertionError(f"{self._kinds.__name__} not raised")
        return issubclass(kind, self._kinds)


def assert_raises(exception_class, callable=None, *args, **kwargs):
    check = _Raises(exception_class)
    if callable is None:
        return check
    with check:
        callable(*args, **kwargs)

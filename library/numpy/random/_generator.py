"""`Generator`: the numbers of NumPy's newer interface.

    rng = default_rng(0)
    rng.random(2)            array([0.63696169, 0.26978671])
    rng.integers(10)         np.int64(5)
"""
import _numpy_random
import torch
from numpy._array import ndarray, wrap
from numpy._axes import one_axis
from numpy._dtypes import dtype_of
from numpy._scalars import int64
from numpy._values import asarray
from numpy.random import _integers, _orders
from numpy.random._arguments import any_of, of_int64, parameters, shape_of
from numpy.random._bit_generators import PCG64, BitGenerator
from numpy.random._distributions import Distributions
from numpy.random._legacy import RandomState
from numpy.random._multivariate import (
    check_covariance, check_rebuilt, checked, final_shape, principal_axes)

_CHOICE_WORDS = {
    "rank": "p must be 1-dimensional",
    "size": "a and p must have same size",
    "nan": "Probabilities contain NaN",
    "negative": "Probabilities are not non-negative",
    "sum": "Probabilities do not sum to 1. See Notes section of docstring for more information.",
    "many": "Cannot take a larger sample than population when replace is False",
    "few": "Fewer non-zero entries in p than size",
}


class Generator(Distributions):
    _names_range = True

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise AttributeError(f"'{type(bit_generator).__name__}' object has no attribute 'capsule'")
        self.bit_generator = bit_generator
        self._stream = _numpy_random.Stream(bit_generator._source, False)

    def __str__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    def __repr__(self):
        return f"{self} at 0x{id(self):X}"

    def spawn(self, n_children):
        return [Generator(child) for child in self.bit_generator.spawn(n_children)]

    # ---- Numbers of float64 or float32 ----------------------------------------------------------

    def _draw_typed(self, name, size, dtype, out, given=(), who=None):
        if out is not None:
            return self._draw_into(name, size, dtype, out, given, who)
        if dtype is float:
            return self._draw(name, size, *given)
        kind = dtype_of(dtype)._torch
        if kind is torch.float64:
            return self._draw(name, size, *given)
        if kind is not torch.float32:
            raise TypeError(f"Unsupported dtype {dtype_of(dtype)!r} for {who or name}")
        size, given = parameters(size, given)
        if size is None:
            return self._stream.draw_float(name, (), given).item()
        return wrap(self._stream.draw_float(name, size, given))

    def _draw_into(self, name, size, dtype, out, given, who):
        if out.dtype != dtype_of(dtype):
            raise TypeError("Supplied output array has the wrong type. "
                            f"Expected {dtype_of(dtype).name}, got {out.dtype.name}")
        if size is not None and shape_of(size) != out.shape:
            raise ValueError("size must match out.shape when used together")
        out[...] = self._draw_typed(name, out.shape, dtype, None, given, who)
        return out

    def random(self, size=None, dtype=float, out=None):
        return self._draw_typed("random", size, dtype, out)

    def standard_normal(self, size=None, dtype=float, out=None):
        return self._draw_typed("standard_normal", size, dtype, out)

    def standard_exponential(self, size=None, dtype=float, method="zig", out=None):
        name = "standard_exponential" if method == "zig" else "inverse_exponential"
        return self._draw_typed(name, size, dtype, out, who="standard_exponential")

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        return self._draw_typed("standard_gamma", size, dtype, out, (shape,))

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        if method not in ("eigh", "svd", "cholesky"):
            raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
        mean, cov = checked(mean, cov)
        if method == "cholesky":
            factor = torch.linalg.cholesky(cov)
            check_covariance(True, check_valid)
        elif method == "eigh":
            scale, left = torch.linalg.eigh(cov)
            check_covariance(not (scale < -tol).any(), check_valid)
            factor = left * scale.abs().sqrt()
        else:
            scale, axes = principal_axes(cov)
            check_rebuilt(cov, scale, axes, tol, check_valid)
            factor = axes.T * scale.sqrt()
        sizes = final_shape(size, mean)
        drawn = self._stream.draw("standard_normal", sizes, ()).reshape(-1, len(mean))
        return wrap((mean + drawn @ factor.T).reshape(sizes))

    # ---- Integers, orders, choices --------------------------------------------------------------

    def integers(self, low, high=None, size=None, dtype=int64, endpoint=False):
        return _integers.draw(self._stream, low, high, size, dtype, "integers", endpoint)

    def shuffle(self, x, axis=0):
        if not isinstance(x, ndarray):
            if axis:
                raise NotImplementedError("Axis argument is only supported on ndarray objects")
            _orders.reorder(x, self._stream.order(len(x)))
            return
        len(x)
        axis = one_axis(axis, x.ndim)
        order = self._stream.order(x.shape[axis])
        x[...] = wrap(x._tensor.index_select(axis, order))

    def permutation(self, x, axis=0):
        if _orders.is_whole(x):
            return wrap(self._stream.order(int(x)))
        elements = asarray(x)._tensor
        axis = one_axis(axis, elements.dim())
        return wrap(elements.index_select(axis, self._stream.order(elements.shape[axis])))

    def permuted(self, x, *, axis=None, out=None):
        """Each line along the axis in an order of its own."""
        elements = asarray(x)._tensor
        if not elements.dim():
            raise TypeError("len() of unsized object")
        if axis is None:
            order = self._stream.order(elements.numel())
            shuffled = elements.reshape(-1)[order].reshape(elements.shape)
        else:
            axis = one_axis(axis, elements.dim())
            length = elements.shape[axis]
            lines = elements.movedim(axis, -1)
            orders = [self._stream.order(length) for _ in range(lines.numel() // max(length, 1))]
            order = torch.stack(orders).reshape(lines.shape) if orders else lines.long()
            shuffled = lines.gather(-1, order).movedim(-1, axis).contiguous()
        if out is None:
            return wrap(shuffled)
        out[...] = wrap(shuffled)
        return out

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if isinstance(a, (float, str)):
            raise ValueError(f"a must be a sequence or an integer, not {type(a)}")
        count, _ = _orders.length_of(a, axis)
        if count <= 0 and (size is None or _orders.count_of(size) != 0):
            raise ValueError("a must be a positive integer unless no samples are taken" if _orders.is_whole(a)
                             else "a cannot be empty unless no samples are taken")
        found = _orders.places(
            self._stream, count, size, replace, p, _CHOICE_WORDS,
            lambda count, sizes: self._stream.integers(0, count - 1, sizes, torch.int64),
            lambda count, wanted: self._stream.sample(count, wanted, shuffle))
        return _orders.chosen(a, found, size, axis)

    # ---- What the distributions ask -------------------------------------------------------------

    def _check_span(self, span):
        if any_of(span < 0) or (type(span) is float and str(span) == "-0.0"):
            raise ValueError("high - low < 0")

    def _check_alpha(self, alpha):
        if (alpha < 0).any():
            raise ValueError("alpha < 0")

    def _trials(self, n):
        return of_int64(n)

    def _check_pvals(self, n, pvals):
        if pvals.dim() < 1 or pvals.shape[-1] == 0:
            raise ValueError("pvals must have at least 1 dimension and the last dimension of pvals must be "
                             "greater than 0.")
        super()._check_pvals(n, pvals)


def default_rng(seed=None):
    """A generator of PCG64 by a seed; one that is given stays itself."""
    if isinstance(seed, BitGenerator):
        return Generator(seed)
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, RandomState):
        return Generator(seed._bit_generator)
    return Generator(PCG64(seed))

"""`RandomState`: the numbers of NumPy's older interface, of which the functions of `numpy.random` are
the methods of one.

    rng = RandomState(0)
    rng.rand(2)              array([0.5488135 , 0.71518937])

Its sequences are frozen: the Mersenne Twister, normal numbers in pairs by the polar method, integers
by masks.
"""
import _numpy_random
import torch
from numpy._array import wrap
from numpy._values import asarray
from numpy.random import _integers, _orders
from numpy.random._arguments import check_one_dimension
from numpy.random._bit_generators import MT19937, BitGenerator
from numpy.random._distributions import Distributions
from numpy.random._multivariate import check_rebuilt, checked, final_shape, principal_axes

_CHOICE_WORDS = {
    "rank": "'p' must be 1-dimensional",
    "size": "'a' and 'p' must have same size",
    "nan": "probabilities contain NaN",
    "negative": "probabilities are not non-negative",
    "sum": "probabilities do not sum to 1",
    "many": "Cannot take a larger sample than population when 'replace=False'",
    "few": "Fewer non-zero entries in p than size",
}


class RandomState(Distributions):
    _names_range = False

    def __init__(self, seed=None):
        if isinstance(seed, BitGenerator):
            self._bit_generator = seed
        else:
            self._bit_generator = MT19937(0)
            self._bit_generator._legacy_seeding(seed)
        self._stream = _numpy_random.Stream(self._bit_generator._source, True)

    def __str__(self):
        return f"RandomState({type(self._bit_generator).__name__})"

    def __repr__(self):
        return f"{self} at 0x{id(self):X}"

    # ---- Seeds and states -----------------------------------------------------------------------

    def seed(self, seed=None):
        if not isinstance(self._bit_generator, MT19937):
            raise TypeError("can only re-seed a MT19937 BitGenerator")
        self._bit_generator._legacy_seeding(seed)
        self._stream.keep_normal(None)

    def get_state(self, legacy=True):
        state = self._bit_generator.state
        kept = self._stream.kept_normal()
        has_gauss, gauss = int(kept is not None), kept or 0.0
        if legacy and isinstance(self._bit_generator, MT19937):
            return "MT19937", state["state"]["key"], state["state"]["pos"], has_gauss, gauss
        return {**state, "has_gauss": has_gauss, "gauss": gauss}

    def set_state(self, state):
        if isinstance(state, dict):
            if "bit_generator" not in state or "state" not in state:
                raise ValueError("state dictionary is not valid.")
        elif isinstance(state, (tuple, list)):
            if len(state) < 3 or state[0] != "MT19937":
                raise ValueError("set_state can only be used with legacy MT19937 state instances.")
            state = {"bit_generator": state[0], "state": {"key": state[1], "pos": state[2]},
                     "has_gauss": state[3] if len(state) > 3 else 0,
                     "gauss": state[4] if len(state) > 4 else 0.0}
        else:
            raise TypeError("state must be a dict or a tuple.")
        self._bit_generator.state = state
        self._stream.keep_normal(state.get("gauss", 0.0) if state.get("has_gauss", 0) else None)

    # ---- Uniform and normal numbers -------------------------------------------------------------

    def random_sample(self, size=None):
        return self._draw("random", size)

    def random(self, size=None):
        return self._draw("random", size)

    def rand(self, *args):
        return self._draw("random", args or None)

    def randn(self, *args):
        return self._draw("standard_normal", args or None)

    def standard_normal(self, size=None):
        return self._draw("standard_normal", size)

    def standard_exponential(self, size=None):
        return self._draw("standard_exponential", size)

    def standard_gamma(self, shape, size=None):
        return self._draw("standard_gamma", size, shape)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8):
        mean, cov = checked(mean, cov)
        sizes = final_shape(size, mean)
        drawn = self._stream.draw("standard_normal", sizes, ()).reshape(-1, len(mean))
        scale, axes = principal_axes(cov)
        check_rebuilt(cov, scale, axes, tol, check_valid)
        return wrap((drawn @ (scale.sqrt()[:, None] * axes) + mean).reshape(sizes))

    # ---- Integers, orders, choices --------------------------------------------------------------

    def randint(self, low, high=None, size=None, dtype=int):
        return _integers.draw(self._stream, low, high, size, dtype, "randint", endpoint=False)

    def shuffle(self, x):
        _orders.reorder(x, self._stream.order(len(x)))

    def permutation(self, x):
        if _orders.is_whole(x):
            return wrap(self._stream.order(int(x)))
        if isinstance(x, (float, str)) or asarray(x).ndim == 0:
            raise IndexError("x must be an integer or at least 1-dimensional")
        elements = asarray(x)._tensor
        return wrap(elements[self._stream.order(len(elements))])

    def choice(self, a, size=None, replace=True, p=None):
        count, rank = (None, 0) if isinstance(a, (float, str)) else _orders.length_of(a)
        if count is None:
            raise ValueError("a must be 1-dimensional or an integer")
        if rank != 1:
            raise ValueError("a must be 1-dimensional")
        if count <= 0 and (size is None or _orders.count_of(size) != 0):
            raise ValueError("a must be greater than 0 unless no samples are taken" if _orders.is_whole(a)
                             else "'a' cannot be empty unless no samples are taken")
        found = _orders.places(
            self._stream, count, size, replace, p, _CHOICE_WORDS,
            lambda count, sizes: self._stream.integers(0, count - 1, sizes, torch.int64),
            lambda count, wanted: self._stream.order(count)[:wanted])
        return _orders.chosen(a, found, size)

    # ---- What the distributions ask -------------------------------------------------------------

    def _check_alpha(self, alpha):
        if (alpha <= 0).any():
            raise ValueError("alpha <= 0")

    def _trials(self, n):
        return int(n)

    def _check_pvals(self, n, pvals):
        if pvals.dim() == 0:
            raise TypeError("pvals must be a 1-d sequence")
        check_one_dimension(pvals)
        super()._check_pvals(n, pvals)

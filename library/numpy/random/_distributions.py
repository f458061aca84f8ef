"""The distributions that `RandomState` and `Generator` have in common.

    rng.normal(0, 1, size=3)        an array
    rng.normal([0, 5], 1)           one number for each of the means
    rng.normal()                    a float

Names, parameters and what these may be are a table of the native part; a class has `_stream`, which
draws as one of the two does.
"""
import math

import torch
from numpy._array import wrap
from numpy.random._arguments import (
    any_of, check_one_dimension, is_tensor, of_float64, of_int64, parameters, shape_of, tensor_of)


def _all_finite(value):
    if is_tensor(value):
        return bool(torch.isfinite(value).all())
    return math.isfinite(value)


class Distributions:
    def _draw(self, name, size, *given):
        for value in given:
            if type(value) is not float and type(value) is not int:
                size, given = parameters(size, given)
                break
        drawn = self._stream.draw(name, size, given)
        return drawn if size is None else wrap(drawn)

    def _draw_whole(self, name, size, count, *given):
        """Where the first parameter is a number of things."""
        size, given = parameters(size, (count, *given), (of_int64, of_float64))
        given = tuple([value.double() if is_tensor(value) else value for value in given])
        drawn = self._stream.draw(name, size, given)
        return drawn if size is None else wrap(drawn)

    def uniform(self, low=0.0, high=1.0, size=None):
        if type(low) is not float or type(high) is not float:
            size, (low, high) = parameters(size, (low, high))
        span = high - low
        if not _all_finite(span):
            raise OverflowError("high - low range exceeds valid bounds"
                                if self._names_range and not is_tensor(span) else "Range exceeds valid bounds")
        self._check_span(span)
        return self._draw("uniform", size, low, span)

    def _check_span(self, span):
        """Of `uniform`: `RandomState` goes downwards too."""

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._draw("normal", size, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return self._draw("lognormal", size, mean, sigma)

    def exponential(self, scale=1.0, size=None):
        return self._draw("exponential", size, scale)

    def gamma(self, shape, scale=1.0, size=None):
        return self._draw("gamma", size, shape, scale)

    def beta(self, a, b, size=None):
        return self._draw("beta", size, a, b)

    def chisquare(self, df, size=None):
        return self._draw("chisquare", size, df)

    def f(self, dfnum, dfden, size=None):
        return self._draw("f", size, dfnum, dfden)

    def noncentral_chisquare(self, df, nonc, size=None):
        return self._draw("noncentral_chisquare", size, df, nonc)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        return self._draw("noncentral_f", size, dfnum, dfden, nonc)

    def wald(self, mean, scale, size=None):
        return self._draw("wald", size, mean, scale)

    def vonmises(self, mu, kappa, size=None):
        return self._draw("vonmises", size, mu, kappa)

    def standard_t(self, df, size=None):
        return self._draw("standard_t", size, df)

    def standard_cauchy(self, size=None):
        return self._draw("standard_cauchy", size)

    def pareto(self, a, size=None):
        return self._draw("pareto", size, a)

    def weibull(self, a, size=None):
        return self._draw("weibull", size, a)

    def power(self, a, size=None):
        return self._draw("power", size, a)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self._draw("laplace", size, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self._draw("gumbel", size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        return self._draw("logistic", size, loc, scale)

    def rayleigh(self, scale=1.0, size=None):
        return self._draw("rayleigh", size, scale)

    def triangular(self, left, mode, right, size=None):
        size, (left, mode, right) = parameters(size, (left, mode, right))
        for wrong, text in ((left > mode, "left > mode"), (mode > right, "mode > right"),
                            (left == right, "left == right")):
            if any_of(wrong):
                raise ValueError(text)
        return self._draw("triangular", size, left, mode, right)

    def poisson(self, lam=1.0, size=None):
        return self._draw("poisson", size, lam)

    def binomial(self, n, p, size=None):
        return self._draw_whole("binomial", size, n, p)

    def negative_binomial(self, n, p, size=None):
        size, (n, p) = parameters(size, (n, p))
        if not any_of(p <= 0) and any_of((1 - p) / p * (n + 10 * n ** 0.5) > 9.223372006484771e18):
            raise ValueError("n too large or p too small, see Generator.negative_binomial Notes")
        return self._draw("negative_binomial", size, n, p)

    def geometric(self, p, size=None):
        return self._draw("geometric", size, p)

    def zipf(self, a, size=None):
        return self._draw("zipf", size, a)

    def logseries(self, p, size=None):
        return self._draw("logseries", size, p)

    # ---- Several numbers at once ----------------------------------------------------------------

    def dirichlet(self, alpha, size=None):
        len(alpha)
        alpha = tensor_of(alpha).double().contiguous()
        check_one_dimension(alpha)
        self._check_alpha(alpha)
        sizes = shape_of(size)
        return wrap(self._stream.dirichlet(alpha, sizes + (len(alpha),)))

    def multinomial(self, n, pvals, size=None):
        """How often each case occurs; `n` and the rows of `pvals` are broadcast."""
        n, pvals = self._trials(n), tensor_of(pvals).double()
        self._check_pvals(n, pvals)
        n = torch.as_tensor(n)
        rows = pvals.shape[:-1]
        if n.dim() == 0 and not rows:
            sizes = shape_of(size)
        else:
            sizes, _ = parameters(size, (n, pvals[..., 0]), size_place=2)
        result = sizes + (pvals.shape[-1],)
        if rows:
            pvals = pvals.expand(result)
        return wrap(self._stream.multinomial(n.expand(sizes).contiguous(), pvals.contiguous(), result))

    def _check_pvals(self, n, pvals):
        if any_of(torch.as_tensor(n) < 0):
            raise ValueError("n < 0")
        if not ((pvals >= 0) & (pvals <= 1)).all():
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
        if (pvals[..., :-1].sum(-1) > 1.0 + 1e-12).any():
            raise ValueError("sum(pvals[:-1]) > 1.0")

    def bytes(self, length):
        return self._stream.bytes(length)

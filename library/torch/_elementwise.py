"""Functions of elements that are made of a few operators, and reductions that are.

    torch.xlogy(x, y)        x * log(y), and 0 where x is 0
    torch.aminmax(x)         the least and the greatest element
"""
import collections
import math
import torch
from torch._output import scalar_name

_return_types = {}


def _named(name, fields, values):
    """A tuple with names, as `torch.return_types` has them."""
    if name not in _return_types:
        made = collections.namedtuple(name, fields)

        def show(self):
            parts = [f"{field}={value!r}" for field, value in zip(self._fields, self)]
            return f"torch.return_types.{name}(\n" + ",\n".join(parts) + ")"

        made.__repr__ = show
        made.__module__ = "torch.return_types"
        _return_types[name] = made
    return _return_types[name](*values)


def _floating(input):
    return input if input.is_floating_point() else input.to(torch.get_default_dtype())


def positive(input):
    """The tensor itself."""
    if input.dtype == torch.bool:
        raise NotImplementedError("The `+` operator, on a bool tensor is not supported.")
    return input


def signbit(input):
    """Whether the sign is set, of -0.0 too."""
    if not input.is_floating_point():
        return input < 0
    return (input < 0) | ((input == 0) & (input.reciprocal() < 0))


def copysign(input, other):
    """The magnitude of one with the sign of the other."""
    input = _floating(input)
    if not isinstance(other, torch.Tensor):
        negative = math.copysign(1.0, other) < 0
        return -input.abs() if negative else input.abs()
    magnitude = input.abs()
    return torch.where(signbit(other), -magnitude, magnitude)


def isposinf(input):
    """Whether elements are infinity."""
    return input == math.inf


def isneginf(input):
    """Whether elements are minus infinity."""
    return input == -math.inf


def isreal(input):
    """True everywhere: there are no complex numbers."""
    return torch.ones_like(input, dtype=torch.bool)


def heaviside(input, values):
    """0 below zero, 1 above, `values` at zero."""
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return torch.where(input == 0, values, (input > 0).to(input.dtype))


def _promoted(input, other):
    dtype = torch.result_type(input, other)
    return input.to(dtype), other.to(dtype)


def fmax(input, other):
    """The greater; where one is NaN, the other."""
    input, other = _promoted(input, other)
    if not input.is_floating_point():
        return torch.maximum(input, other)
    return torch.where(input.isnan(), other, torch.where(other.isnan(), input,
                                                         torch.maximum(input, other)))


def fmin(input, other):
    """The lesser; where one is NaN, the other."""
    input, other = _promoted(input, other)
    if not input.is_floating_point():
        return torch.minimum(input, other)
    return torch.where(input.isnan(), other, torch.where(other.isnan(), input,
                                                         torch.minimum(input, other)))


def hypot(input, other):
    """The length of the third side. It is worked out in float64, and in parts of the longer side,
    so that no square leaves its range."""
    dtype = torch.result_type(input, other)
    if not dtype.is_floating_point:
        raise NotImplementedError("\"hypot_cpu\" not implemented for "
                                  f"'{scalar_name(torch.empty(0, dtype=dtype))}'")
    wide, across = input.double(), other.double()
    unit = torch.maximum(wide.abs(), across.abs()).detach()
    unit = torch.where((unit == 0) | unit.isinf(), 1.0, unit)
    wide, across = wide / unit, across / unit
    length = unit * (wide * wide + across * across).sqrt()
    endless = input.isinf() | other.isinf()
    return torch.where(endless, math.inf, length).to(dtype)


def xlogy(input, other):
    """x * log(y), and 0 where x is 0."""
    if not isinstance(input, torch.Tensor):
        input = torch.as_tensor(input, dtype=other.dtype)
    if not isinstance(other, torch.Tensor):
        other = torch.as_tensor(other, dtype=input.dtype)
    nothing = (input == 0) & ((other <= 0) | (other == math.inf))
    return torch.where(nothing, 0, input * torch.where(nothing, 1, other).log())


def logaddexp(input, other):
    """log(exp(x) + exp(y)), exact far from 0 too."""
    greater = torch.maximum(input, other)
    same = greater.isinf() & (input == other)
    apart = torch.where(same, 0, input - other).abs()
    return torch.where(same, greater, greater + torch.log1p(torch.exp(-apart)))


def logaddexp2(input, other):
    """log2(2 ** x + 2 ** y), exact far from 0 too."""
    greater = torch.maximum(input, other)
    same = greater.isinf() & (input == other)
    apart = torch.where(same, 0, input - other).abs()
    total = greater + torch.log1p(torch.exp2(-apart)) / math.log(2.0)
    return torch.where(same, greater, total)


def float_power(input, exponent):
    """The power, in float64."""
    if not isinstance(input, torch.Tensor) and not isinstance(exponent, torch.Tensor):
        raise TypeError(
            "float_power() received an invalid combination of arguments - got "
            f"({type(input).__name__}, {type(exponent).__name__}), but expected one of:\n"
            " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
            " * (Number self, Tensor exponent, *, Tensor out = None)\n"
            " * (Tensor input, Number exponent, *, Tensor out = None)\n")
    if isinstance(input, torch.Tensor):
        input = input.double()
    if isinstance(exponent, torch.Tensor):
        exponent = exponent.double()
    return torch.pow(input, exponent)


def ldexp(input, other):
    """x * 2 ** y."""
    return input * torch.pow(2.0, other)


def rsub(input, other, *, alpha=1):
    """other - alpha * input."""
    return other - input * alpha if alpha != 1 else other - input


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum without NaN."""
    if input.is_floating_point():
        input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return input.sum(dim, keepdim, dtype=dtype)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean without NaN."""
    if not input.is_floating_point():
        raise NotImplementedError("nanmean(): expected input to have floating point or complex "
                                  f"dtype but got {scalar_name(input)}")
    count = (~input.isnan()).sum(dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


def aminmax(input, *, dim=None, keepdim=False):
    """The least and the greatest element."""
    if dim is None:
        return _named("aminmax", "min max", (input.amin(keepdim=keepdim),
                                             input.amax(keepdim=keepdim)))
    return _named("aminmax", "min max", (input.amin(dim, keepdim), input.amax(dim, keepdim)))


def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """The standard deviation and the mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = int(unbiased)
    return (input.std(dim, correction=correction, keepdim=keepdim), input.mean(dim, keepdim))


def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """The variance and the mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = int(unbiased)
    return (input.var(dim, correction=correction, keepdim=keepdim), input.mean(dim, keepdim))


def msort(input):
    """Sorted along the first dimension."""
    return input.sort(0).values


def mode(input, dim=-1, keepdim=False):
    """The least of the most frequent elements, and the last place where it is."""
    if input.dim() == 0:
        return _named("mode", "values indices", (input.clone(), torch.tensor(0)))
    rows = input.detach().movedim(dim, -1)
    equal = rows.unsqueeze(-1) == rows.unsqueeze(-2)
    counts = equal.sum(-1)
    most = counts.amax(-1, keepdim=True)
    lowest = rows.sort(-1).values
    ordered = (lowest.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1)
    value = lowest.gather(-1, (ordered == most).to(torch.int64).argmax(-1, keepdim=True))
    places = torch.arange(rows.size(-1))
    place = torch.where(rows == value, places, -1).amax(-1)
    place = place.unsqueeze(dim)
    values = input.gather(dim, place)
    if not keepdim:
        values, place = values.squeeze(dim), place.squeeze(dim)
    return _named("mode", "values indices", (values, place))


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Elements by their rank, a share `q` of the way from the least to the greatest."""
    if not input.is_floating_point():
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not isinstance(q, torch.Tensor):
        if not 0.0 <= q <= 1.0:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = torch.tensor(q, dtype=input.dtype)
    elif q.dtype != input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif q.dim() > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError("quantile() interpolation must be one of linear, lower, higher, "
                           f"midpoint or nearest, but got {interpolation}")
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    rows = input.reshape(-1) if dim is None else input.movedim(dim, -1)
    ordered = rows.sort(-1).values
    rank = q.reshape(-1) * (rows.size(-1) - 1)
    if interpolation == "lower":
        rank = rank.floor()
    elif interpolation == "higher":
        rank = rank.ceil()
    elif interpolation == "nearest":
        rank = rank.round()
    below = rank.floor()
    weight = torch.full_like(rank, 0.5) if interpolation == "midpoint" else rank - below
    low = ordered.index_select(-1, below.long())
    high = ordered.index_select(-1, rank.ceil().long())
    result = torch.lerp(low, high, weight)
    missing = rows.isnan().any(-1, keepdim=True)
    result = torch.where(missing, math.nan, result).movedim(-1, 0)
    if q.dim() == 0:
        result = result[0]
    if keepdim:
        if dim is None:
            return result.reshape(list(q.shape) + [1] * input.dim())
        return result.unsqueeze(dim if dim < 0 else dim + q.dim())
    return result


def cummax(input, dim):
    """The greatest so far along a dimension, and the last place where it was."""
    return _extremes("cummax", input, dim, lambda new, old: new >= old)


def cummin(input, dim):
    """The least so far along a dimension, and the last place where it was."""
    return _extremes("cummin", input, dim, lambda new, old: new <= old)


def _extremes(name, input, dim, wins):
    """Along a dimension the extreme so far, and the last place where it was."""
    if input.dim() == 0:
        return _named(name, "values indices", (input.clone(), torch.tensor(0)))
    if input.size(dim) == 0:
        return _named(name, "values indices", (input.clone(), input.to(torch.int64)))
    values, places = [], []
    for i, row in enumerate(input.detach().unbind(dim)):
        if i == 0:
            best, place = row, torch.zeros_like(row, dtype=torch.int64)
        else:
            new = row.isnan() | (wins(row, best) & ~best.isnan())
            best, place = torch.where(new, row, best), torch.where(new, i, place)
        values.append(best)
        places.append(place)
    indices = torch.stack(places, dim)
    return _named(name, "values indices", (input.gather(dim, indices), indices))


def logcumsumexp(input, dim):
    """Each sum has its own scale. The terms are joined by doubling: after a step every place holds
    the terms of the 2, 4, 8 ... places up to it."""
    if not input.is_floating_point():
        raise NotImplementedError("\"logcumsumexp_out_cpu\" not implemented for "
                                  f"'{scalar_name(input)}'")
    if input.dim() == 0:
        return input.clone()
    size, held, sums = input.size(dim), 1, input.clone()
    while held < size:
        first, rest = sums.narrow(dim, 0, size - held), sums.narrow(dim, held, size - held)
        sums = torch.cat([sums.narrow(dim, 0, held), logaddexp(first, rest)], dim)
        held *= 2
    return sums


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps,
               cudnn_enabled):
    """`torch.nn.functional.batch_norm` with its arguments in another order."""
    return torch.nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training,
                                          momentum, eps)

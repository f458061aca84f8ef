"""Functions of elements that are made of a few operators, and reductions that are.

    torch.ldexp(x, y)        x * 2 ** y
    torch.nanmean(x)         the mean without NaN
"""
import math
import torch
from torch._output import scalar_name


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


def isposinf(input):
    """Whether elements are infinity."""
    return input == math.inf


def isneginf(input):
    """Whether elements are minus infinity."""
    return input == -math.inf


def isreal(input):
    """True everywhere: there are no complex numbers."""
    return torch.ones_like(input, dtype=torch.bool)


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


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean without NaN."""
    if not input.is_floating_point():
        raise NotImplementedError("nanmean(): expected input to have floating point or complex "
                                  f"dtype but got {scalar_name(input)}")
    count = (~input.isnan()).sum(dim, keepdim)
    return torch.nansum(input, dim, keepdim, dtype=dtype) / count


def msort(input):
    """Sorted along the first dimension."""
    return input.sort(0).values


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


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps,
               cudnn_enabled):
    """`torch.nn.functional.batch_norm` with its arguments in another order."""
    return torch.nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training,
                                          momentum, eps)

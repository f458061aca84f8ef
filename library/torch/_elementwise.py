"""Functions of elements that are made of a few operators, and reductions that are.

    torch.positive(x)        x
    torch.nanmean(x)         the mean without NaN
"""
import torch
from torch._output import scalar_name


def positive(input):
    """The tensor itself."""
    if input.dtype == torch.bool:
        raise NotImplementedError("The `+` operator, on a bool tensor is not supported.")
    return input


def isreal(input):
    """Where there is no imaginary part; everywhere in a real tensor."""
    if input.is_complex():
        return input.imag == 0
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


def rsub(input, other, *, alpha=1):
    """other - alpha * input."""
    if alpha == 1:
        return other - input
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=torch.result_type(input, other), device=input.device)
    return torch.sub(other, input, alpha=alpha)


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
    return _quantile(input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The same of what is no NaN."""
    return _quantile(input, q, dim, keepdim, interpolation, True)


def _quantile(input, q, dim, keepdim, interpolation, ignores):
    if not input.is_floating_point():
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not isinstance(q, torch.Tensor):
        if not 0.0 <= q <= 1.0:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = torch.tensor(q, dtype=input.dtype, device=input.device)
    elif q.dtype != input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif q.dim() > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError("quantile() interpolation must be one of linear, lower, higher, "
                           f"midpoint or nearest, but got {interpolation}")
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if dim is None:
        rows = input.reshape([1] * input.dim() + [-1] if keepdim else [-1])
    else:
        most = max(input.dim(), 1)
        if not -most <= dim < most:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-most}, "
                             f"{most - 1}], but got {dim})")
        dim %= most
        rows = input.unsqueeze(-1).transpose(dim, -1)
        rows = rows if keepdim else rows.squeeze(dim)
    is_there = ~rows.isnan()
    last = (is_there.sum(-1, keepdim=True) - 1).clamp(min=0) if ignores else rows.size(-1) - 1
    rank = q.reshape(-1) * last
    if interpolation == "lower":
        rank = rank.floor()
    elif interpolation == "higher":
        rank = rank.ceil()
    elif interpolation == "nearest":
        rank = rank.round()
    if not ignores:
        rank = torch.where(is_there.all(-1, keepdim=True), rank, last)
    below = rank.floor()
    weight = torch.full_like(rank, 0.5) if interpolation == "midpoint" else rank - below
    ordered = rows.sort(-1).values
    low, high = ordered.gather(-1, below.long()), ordered.gather(-1, rank.ceil().long())
    result = torch.lerp(low, high, weight)
    if q.dim() > 0:
        result = result.unsqueeze(0).transpose(0, -1)
    return torch._squeeze_last(result, -1)


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps,
               cudnn_enabled):
    """`torch.nn.functional.batch_norm` with its arguments in another order."""
    return torch.nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training,
                                          momentum, eps)

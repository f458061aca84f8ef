"""Calls that an operator's own signature does not take: the interpreter hands them to the function here.

    torch.where(mask)            where(mask)                the places of what is true
    x.nonzero(as_tuple=True)     nonzero(x, as_tuple=True)    a vector of places for each dimension
    x.view(torch.int32)          view(x, torch.int32)         the same bits as ints
    F.relu(x, inplace=True)      relu(x, inplace=True)        x itself, written over
    F.l1_loss(x, y, reduce=False)      l1_loss(x, y, reduce=False)      `reduction`, by an old name
"""
import warnings

import _storage
import torch
from torch._output import scalar_name, write
from torch.nn import functional as F
from torch.nn._reduction import reduction_of


def where(condition):
    return nonzero(condition, as_tuple=True)


def nonzero(input, *, out=None, as_tuple=False):
    if out is not None:
        places = torch.argwhere(input)
        return write(out, places, "nonzero: Expected out tensor to have scalar type Long but got "
                     f"scalar type{scalar_name(out)}")
    if not as_tuple:
        return torch.argwhere(input)
    return torch.argwhere(input.unsqueeze(0) if input.dim() == 0 else input).unbind(1)


def softmax(input):
    return torch.softmax(input, implied_dim("softmax", input))


def log_softmax(input):
    return torch.log_softmax(input, implied_dim("log_softmax", input))


def implied_dim(name, input):
    """The dimension that is meant where none is given, as before PyTorch 0.4."""
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
                  "dim=X as an argument.")
    return 0 if input.dim() in (0, 1, 3) else 1


def relu(input, inplace=False):
    return input.relu_() if inplace else torch.relu(input)


def relu6(input, inplace=False):
    return F._relu6_(input) if inplace else F.relu6(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return (F.leaky_relu_ if inplace else F.leaky_relu)(input, negative_slope)


def elu(input, alpha=1.0, inplace=False):
    return (F.elu_ if inplace else F.elu)(input, alpha)


def selu(input, inplace=False):
    return F.selu_(input) if inplace else F.selu(input)


def celu(input, alpha=1.0, inplace=False):
    return (F.celu_ if inplace else F.celu)(input, alpha)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return (F.hardtanh_ if inplace else F.hardtanh)(input, min_val, max_val)


def silu(input, inplace=False):
    return F._silu_(input) if inplace else F.silu(input)


def mish(input, inplace=False):
    return F._mish_(input) if inplace else F.mish(input)


def hardswish(input, inplace=False):
    return F._hardswish_(input) if inplace else F.hardswish(input)


def hardsigmoid(input, inplace=False):
    return F._hardsigmoid_(input) if inplace else F.hardsigmoid(input)


def threshold(input, threshold, value, inplace=False):
    return (F.threshold_ if inplace else F.threshold)(input, threshold, value)


def dropout(input, p=0.5, training=True, inplace=False):
    if not inplace or not training or p == 0:
        return F.dropout(input, p, training)
    return F._dropout_(input, p)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    if repeats is None:
        return _repeated_places(input)
    if not isinstance(repeats, torch.Tensor):
        return torch.repeat_interleave(input, repeats, dim)
    if dim is None:
        input, dim = input.reshape(-1), 0
    size = input.size(dim)
    if repeats.dim() == 0 or repeats.size(0) == 1:
        repeats = repeats.reshape(1).expand(size)
    elif repeats.size(0) != size:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{repeats.size(0)} and input.size({dim}) = {size}"
        )
    return input.index_select(dim, _repeated_places(repeats))


def _repeated_places(repeats):
    """Place i as often as `repeats[i]` says."""
    if repeats.dtype not in (torch.int64, torch.int32):
        kind = repeats.type().rsplit(".", 1)[1].removesuffix("Tensor")
        raise NotImplementedError(f'"repeat_interleave_cpu" not implemented for \'{kind}\'')
    if (repeats < 0).any():
        raise RuntimeError("repeats can not be negative")
    ends = repeats.cumsum(0)
    count = int(ends[-1]) if repeats.numel() > 0 else 0
    return torch.searchsorted(ends, torch.arange(count, device=ends.device), right=True)


def _weighted(losses, weight, reduction, by_weight=True):
    """The mean is over the weights, or the elements."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', "
                         "'sum'.")
    losses = losses * weight
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    return losses.sum() / weight.sum() if by_weight else losses.mean()


def _check_weight(weight, input):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    reduction = reduction_of(size_average, reduce, reduction)
    if weight is None:
        return F.mse_loss(input, target, reduction=reduction)
    _check_weight(weight, input)
    return _weighted((input - target) ** 2, weight, reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    reduction = reduction_of(size_average, reduce, reduction)
    if weight is None:
        return F.l1_loss(input, target, reduction=reduction)
    _check_weight(weight, input)
    return _weighted((input - target).abs(), weight, reduction)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    return F.smooth_l1_loss(input, target, reduction=reduction_of(size_average, reduce, reduction), beta=beta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    return F.binary_cross_entropy(input, target, weight,
                                  reduction=reduction_of(size_average, reduce, reduction))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    return F.binary_cross_entropy_with_logits(
        input, target, weight, reduction=reduction_of(size_average, reduce, reduction), pos_weight=pos_weight)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return F.nll_loss(input, target, weight, ignore_index=ignore_index,
                      reduction=reduction_of(size_average, reduce, reduction))


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    return F.cross_entropy(input, target, weight, ignore_index=ignore_index, label_smoothing=label_smoothing,
                           reduction=reduction_of(size_average, reduce, reduction))


def huber_loss(input, target, reduction="mean", delta=1.0, *, weight):
    if weight is None:
        return F.huber_loss(input, target, reduction, delta)
    _check_weight(weight, input)
    losses = F.huber_loss(input, target, "none", delta)
    return _weighted(losses, weight, reduction, by_weight=False)


def _stable_by_position(name, positional, stable, result):
    """What PyTorch says where `stable` stands behind a dimension that has no name."""
    types = ["Tensor", *[type(each).__name__ for each in positional]]
    given = ", ".join([*types, f"stable={type(stable).__name__}"])
    raise TypeError(
        f"{name}() received an invalid combination of arguments - got ({given}), but expected one of:\n"
        f" * (Tensor input, *, bool stable, int dim = -1, bool descending = False, {result} out = None)\n"
        " * (Tensor input, int dim = -1, bool descending = False)\n"
        "      didn't match because some of the keywords were incorrect: stable\n")


def sort(input, *positional, stable, dim=-1, descending=False):
    if positional:
        _stable_by_position("sort", positional, stable, "tuple of Tensors")
    return torch.sort(input, dim, descending)


def argsort(input, *positional, stable, dim=-1, descending=False):
    if positional:
        _stable_by_position("argsort", positional, stable, "Tensor")
    return torch.argsort(input, dim, descending)


_TYPE_NAMES = {torch.float64: "Double", torch.float32: "Float", torch.float16: "Half",
               torch.bfloat16: "BFloat16", torch.int64: "Long", torch.int32: "Int",
               torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool"}


def _check_sizes(input, dtype):
    """Bytes of one element become several elements, or the other way round, along the last dimension."""
    before, after = input.element_size(), dtype.itemsize
    if before == after:
        return
    ending = f"to view {_TYPE_NAMES[input.dtype]} as {_TYPE_NAMES[dtype]} (different element sizes)"
    if input.dim() == 0:
        raise RuntimeError(f"self.dim() cannot be 0 {ending}")
    ratio = max(after // before, 1)
    for name, value in (("self.size(-1)", input.size(-1)),
                        ("self.storage_offset()", input.storage_offset())):
        if value % ratio:
            raise RuntimeError(f"{name} must be divisible by {ratio} {ending}, but got {value}")
    if input.stride(-1) != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {ending}, but got {input.stride(-1)}")
    for dim in range(input.dim() - 1):
        if input.stride(dim) % ratio:
            raise RuntimeError(f"self.stride({dim}) must be divisible by {ratio} {ending}, but got "
                               f"{input.stride(dim)}")


def view(input, *positional, dtype=None):
    """`x.view(torch.int32)`: the same memory, its bits read as another dtype."""
    if len(positional) + (dtype is not None) != 1:
        given = ", ".join(["torch.dtype" if isinstance(each, torch.dtype) else type(each).__name__
                           for each in positional])
        raise TypeError(f"view() received an invalid combination of arguments - got ({given}), but "
                        "expected one of:\n * (torch.dtype dtype)\n * (tuple of ints size)\n")
    dtype = torch.empty(0, dtype=positional[0] if positional else dtype).dtype
    if dtype is torch.bool and input.dtype is not torch.bool:
        raise NotImplementedError("bytes that are no bool are not viewed as one: use `x != 0`")
    _check_sizes(input, dtype)
    return _storage.of_dtype(input.detach(), dtype)

"""Functions of `torch.nn.functional` that few scripts use: a random slope, two losses.

    rrelu(x, training=True)                         what is negative times a random slope
    multilabel_margin_loss(x, classes)              each class that is meant, against all others
    triplet_margin_with_distance_loss(a, p, n, distance_function=f)
"""
import torch
from torch._output import scalar_name
from torch.nn._reduction import reduction_of
from torch.nn.functional import _reduced, leaky_relu, leaky_relu_, pairwise_distance
from torch.nn.functional import max_pool1d, max_pool2d, max_pool3d


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """What is negative times a random slope, or times the mean one where nothing is trained."""
    if not lower <= upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training:
        return (leaky_relu_ if inplace else leaky_relu)(input, (lower + upper) / 2)
    if not input.is_floating_point():
        raise NotImplementedError(f'"rrelu_with_noise_out_cpu" not implemented for '
                                  f"'{scalar_name(input)}'")
    slopes = _slopes(input.detach(), lower, upper)
    return input.mul_(slopes) if inplace else input * slopes


def _slopes(input, lower, upper):
    # A number is drawn for each element that needs one, so that those behind stay the same.
    below = input <= 0
    drawn = torch.empty(int(below.sum()), dtype=torch.float64, device=input.device)
    slopes = torch.ones_like(input, dtype=torch.float64)
    return slopes.masked_scatter(below, drawn.uniform_(lower, upper)).to(input.dtype)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """The same, written over the input."""
    return rrelu(input, lower, upper, training, inplace=True)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """How far any other class comes within 1 of each class of `target`, which ends at -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    if input.dim() > 2 or input.dim() > 0 and input.size(-1) == 0:
        raise RuntimeError("Expected non-empty vector or matrix with optional 0-dim batch size, but "
                           f"got: {list(input.shape)}")
    if input.shape != target.shape:
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: "
                           f"{list(input.shape)}")
    if target.dtype != torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(target)}")
    rows = input.reshape(-1, input.size(-1) if input.dim() else 1)
    classes = target.reshape(rows.shape)
    count = rows.size(1)
    if not torch.compiler.is_compiling() and ((classes < -1) | (classes >= count)).any():
        raise RuntimeError("argument #2 'target' is out of range")
    meant = (classes >= 0).long().cumprod(1)
    places = torch.where(classes == -1, 0, classes)
    apart = 1 - rows.gather(1, places).unsqueeze(2) + rows.unsqueeze(1)
    is_meant = torch.zeros_like(classes).scatter_add(1, places, meant) > 0
    counted = meant.bool().unsqueeze(2) & ~is_meant.unsqueeze(1)
    loss = torch.where(counted, torch.relu(apart), 0.0).sum((1, 2)) / count
    return _reduced(loss if input.dim() == 2 else loss[0], reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None,
                                      margin=1.0, swap=False, reduction="mean"):
    """How much nearer the positive should be than the negative, by a distance of one's own."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same "
                           f"number of dimensions, but got: anchor {anchor.dim()}D, positive "
                           f"{positive.dim()}D, and negative {negative.dim()}D inputs")
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def max_pool1d_with_indices(*args, **kwargs):
    """The greatest element of each window, and where it is."""
    return max_pool1d(*args, **kwargs, return_indices=True)


def max_pool2d_with_indices(*args, **kwargs):
    """The greatest element of each window, and where it is."""
    return max_pool2d(*args, **kwargs, return_indices=True)


def max_pool3d_with_indices(*args, **kwargs):
    """The greatest element of each window, and where it is."""
    return max_pool3d(*args, **kwargs, return_indices=True)

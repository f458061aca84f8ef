"""Functions that `torch` has beside `torch.nn.functional`, with arguments in another order or form.

    torch.kl_div(p, q, 1)         a number for the reduction: 0 none, which is the default, 1 mean,
                                  2 sum; F.kl_div(p, q, reduction="mean")
    torch.clamp_min_(x, 0)        x.clamp_min_(0)
"""
import torch
from torch.nn import functional as F
from torch.nn._dropout import _drop_channels

_REDUCTIONS = {1: "mean", 2: "sum"}


def _reduction(number, function):
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"{function}(): argument 'reduction' must be int, not {type(number).__name__}")
    return _REDUCTIONS.get(number, "none")


def kl_div(input, target, reduction=0, *, log_target=False):
    """`target * (log(target) - input)`; 0 where the target is 0."""
    return F.kl_div(input, target, reduction=_reduction(reduction, "kl_div"), log_target=log_target)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    """How far one input is from being greater than the other by the margin."""
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_reduction(reduction, "margin_ranking_loss"))


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """The distance of what is near, and the margin less that of what is apart."""
    return F.hinge_embedding_loss(input, target, margin, reduction=_reduction(reduction, "hinge_embedding_loss"))


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    """1 - cosine of what is near, the cosine above the margin of what is apart."""
    return F.cosine_embedding_loss(input1, input2, target, margin,
                                   reduction=_reduction(reduction, "cosine_embedding_loss"))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        reduction=0):
    """How much nearer the positive should be than the negative."""
    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap,
                                 reduction=_reduction(reduction, "triplet_margin_loss"))


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """The negative logarithm of a Poisson distribution's probability."""
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps,
                              reduction=_reduction(reduction, "poisson_nll_loss"))


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    """The cross entropy of the input's sigmoid."""
    return F.binary_cross_entropy_with_logits(input, target, weight, pos_weight=pos_weight,
                                              reduction=_reduction(reduction, "binary_cross_entropy_with_logits"))


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    """The negative logarithm of the probability of labels whose places are not known."""
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction, "ctc_loss"),
                      zero_infinity)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    """Mean 0 and variance 1 over groups of channels."""
    return F.group_norm(input, num_groups, weight, bias, eps)


def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps,
                  cudnn_enabled):
    """Mean 0 and variance 1 over each channel of each example."""
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats,
                           momentum, eps)


def alpha_dropout(input, p, train):
    """Random elements become the value that keeps the mean."""
    return F.alpha_dropout(input, p, train)


def feature_dropout(input, p, train):
    """Random channels become 0."""
    if input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return _drop_channels(input, p, train, False)


def constant_pad_nd(input, pad, value=0):
    """A constant around the last dimensions, the last of them first."""
    if len(pad) % 2 != 0:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * input.dim():
        raise RuntimeError("Length of pad should be no more than twice the number of dimensions of "
                           f"the input. Pad length is {len(pad)}while the input has {input.dim()}"
                           "dimensions.")
    return F.pad(input, pad, value=value)


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False,
                  pin_memory=False):
    """Room for elements that lie in an order of one's own."""
    if len(size) != len(stride):
        raise RuntimeError(f"dimensionality of sizes ({len(size)}) must match dimensionality of "
                           f"strides ({len(stride)})")
    if min(size, default=0) < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: "
                           f"{list(size)}")
    if min(stride, default=0) < 0:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and "
                           f"strides={list(stride)}")
    room = 1 + sum([(count - 1) * step for count, step in zip(size, stride)])
    made = torch.empty(0 if 0 in size else room, dtype=dtype, device=device)
    made = made.as_strided(size, stride)
    return made.requires_grad_() if requires_grad else made


def clamp_min_(input, min):
    """Written over the input: nothing is less than that."""
    return input.clamp_min_(min)


def clamp_max_(input, max):
    """Written over the input: nothing is greater than that."""
    return input.clamp_max_(max)


def is_signed(input):
    """Whether its dtype has negative numbers."""
    return input.is_signed()


def adaptive_max_pool1d(input, output_size):
    """The greatest element of each of so many parts, and where it is."""
    return F.adaptive_max_pool1d(input, output_size, return_indices=True)


def rrelu(input, lower=0.125, upper=0.3333333333333333, training=False):
    """What is negative times a random slope, or times the mean one where nothing is trained."""
    return F.rrelu(input, lower, upper, training)


def rrelu_(input, lower=0.125, upper=0.3333333333333333, training=False):
    """The same, written over the input."""
    return F.rrelu_(input, lower, upper, training)

"""What `torch.nn.functional` has besides operators; runs in the same module, behind them."""
import math
import torch
from torch._output import wrong_type
from torch.nn._reduction import reduction_of


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """The tensor divided by its norm along a dimension."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / length if out is None else torch.div(input, length, out=out)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along a dimension."""
    if x1.shape != x2.shape:
        shape = (x1 * x2).shape  # which says in what two sizes differ
        x1, x2 = x1.expand(shape), x2.expand(shape)
    first = x1 / torch.norm(x1, 2, dim, True).clamp_min(eps)
    second = x2 / torch.norm(x2, 2, dim, True).clamp_min(eps)
    return (first * second).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The norm of the difference along the last dimension."""
    for place, name, given in ((1, "x1", x1), (2, "x2", x2)):
        if not isinstance(given, torch.Tensor):
            raise wrong_type("pairwise_distance", place, name, "Tensor", given)
    return torch.norm(x1 - x2 + eps, p, -1, keepdim)


def softsign(input):
    """x / (1 + abs(x))."""
    return input / (1 + input.abs())


def softmin(input, dim=None):
    """softmax of the negative."""
    return softmax(-input, dim)


def tanhshrink(input):
    """x - tanh(x)."""
    return input - input.tanh()


def _reduced(loss, reduction):
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    if reduction != "none":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """`target * (log(target) - input)`; 0 where the target is 0."""
    reduction = reduction_of(size_average, reduce, reduction)
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = torch.xlogy(target, target) - target * input
    if reduction == "batchmean":
        return loss.sum() / input.size(0) if input.dim() else loss.sum()
    return _reduced(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    """How far one input is from being greater than the other by the margin."""
    reduction = reduction_of(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but "
                           f"got sizes: input1: {input1.size()}, input2: {input2.size()}, target: "
                           f"{target.size()} ")
    return _reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8,
                     reduce=None, reduction="mean"):
    """The negative logarithm of a Poisson distribution's probability."""
    reduction = reduction_of(size_average, reduce, reduction)
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * 3.141592653589793 * target).log()
        loss = loss + torch.where(target > 1, stirling, 0.0)
    return _reduced(loss, reduction)


def prelu(input, weight):
    """The element, times a learnt weight if it is negative."""
    if weight.dim() > 1:
        raise RuntimeError("prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = "
                           f"{weight.dim()}")
    channels = input.size(1) if input.dim() > 1 else 1
    if weight.numel() != 1 and weight.numel() != channels:
        raise RuntimeError("Mismatch of parameter numbers and input channel size. Found parameter "
                           f"numbers = {weight.numel()} and channel size = {channels}.")
    if input.dim() > 1:
        weight = weight.reshape([1, -1] + [1] * (input.dim() - 2))
    return torch._prelu_kernel(input, weight)


def _wide(input, *parameters):
    """The input as the parameters compute with it: a bfloat16 or float16 one may have float32
    parameters, and is float32 then; all else has one dtype."""
    dtypes = [parameter.dtype for parameter in parameters if parameter is not None]
    if not dtypes or dtypes[0] == input.dtype:
        return input
    if any(dtype != torch.float32 for dtype in dtypes):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if input.dtype not in (torch.bfloat16, torch.float16):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return input.float()


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    """Over all dimensions but the second; `running_mean` and `running_var` follow in training."""
    if training:
        count = input.numel() // max(input.size(1), 1)
        if count == 1:
            raise ValueError("Expected more than 1 value per channel when training, got input size "
                             f"{input.size()}")
    dtype, input = input.dtype, _wide(input, weight, bias, running_mean, running_var)
    for name, given in (("running_mean", running_mean), ("running_var", running_var)):
        if given is None and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    for name, given in (("running_mean", running_mean), ("running_var", running_var),
                        ("weight", weight), ("bias", bias)):
        if given is not None and given.numel() != input.size(1):
            raise RuntimeError(f"{name} should contain {input.size(1)} elements not "
                               f"{given.numel()}")
    if not training:
        return torch._batch_norm_known(input, running_mean, running_var, weight, bias,
                                       eps).to(dtype)
    result, mean, var = torch._batch_norm(input, weight, bias, eps)
    if running_mean is not None and count > 1:
        with torch.no_grad():
            running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
            running_var.mul_(1 - momentum).add_(var.detach(),
                                                alpha=momentum * count / (count - 1))
    return result.to(dtype)


def bilinear(input1, input2, weight, bias=None):
    """input1 @ weight[k] @ input2 for each k, plus the bias."""
    result = torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return result if bias is None else result + bias


def glu(input, dim=-1):
    """One half of a dimension, times the sigmoid of the other half."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    if input.size(dim) % 2 != 0:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is "
                           f"size {input.size(dim)}")
    return torch._glu(input, dim)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Mean 0 and variance 1 over groups of channels."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received "
                           f"{input.dim()}")
    size = [input.size(0) * input.size(1) // num_groups, num_groups, *input.shape[2:]]
    if math.prod(size) == num_groups:
        raise ValueError("Expected more than 1 value per channel when training, got input size "
                         f"{size}")
    if input.size(1) % num_groups != 0:
        raise RuntimeError("Expected number of channels in input to be divisible by num_groups, "
                           f"but got input of shape {list(input.shape)} and "
                           f"num_groups={num_groups}")
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and (given.dim() != 1 or given.size(0) != input.size(1)):
            raise RuntimeError(f"Expected {name} to be a vector of size equal to the number of "
                               f"channels in input, but got {name} of shape {list(given.shape)} "
                               f"and input of shape {list(input.shape)}")
    if input.size(1) == 0:
        raise RuntimeError("Expected number of channels to be greater than 0, got 0")
    if 0 in input.shape[2:]:
        raise RuntimeError("Expected HxW to be greater than 0, got 0")
    dtype, input = input.dtype, _wide(input, weight, bias)
    return torch._group_norm(input, num_groups, weight, bias, eps).to(dtype)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    """Mean 0 and variance 1 over each channel of each example."""
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ValueError("Expected more than 1 spatial element when training, got input size "
                         f"{input.shape}")
    if running_mean is None and use_input_stats:
        return group_norm(input, input.size(1), weight, bias, eps).view(input.shape)
    # Every channel of every example is a channel of its own.
    count = input.size(0)

    def repeated(given):
        return None if given is None else given.repeat(count)

    means, variances = repeated(running_mean), repeated(running_var)
    channels = input.reshape([1, count * input.size(1)] + list(input.shape[2:]))
    result = batch_norm(channels, means, variances, repeated(weight), repeated(bias),
                        use_input_stats, momentum, eps)
    if running_mean is not None and use_input_stats:
        with torch.no_grad():
            running_mean.copy_(means.view(count, -1).mean(0))
            running_var.copy_(variances.view(count, -1).mean(0))
    return result.view(input.shape)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each element by the squares of its neighbours in other channels."""
    if input.dim() < 3:
        raise ValueError("Expected 3D or higher dimensionality                          input (got "
                         f"{input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    squares = pad((input * input).movedim(1, -1), (size // 2, (size - 1) // 2))
    means = squares.unfold(-1, size, 1).mean(-1).movedim(-1, 1)
    return input / (means * alpha + k) ** beta


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A random choice by weights, soft, or hard with the soft one's gradient."""
    noise = -torch.empty_like(logits).exponential_().log()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    chosen = torch.zeros_like(logits).scatter_(dim, soft.max(dim, keepdim=True)[1], 1.0)
    return chosen - soft.detach() + soft


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input))."""
    if target.requires_grad and torch.is_grad_enabled():
        raise RuntimeError("The function 'soft_margin_loss' is not differentiable with respect to argument "
                           "'target'. This input cannot have requires_grad True.")
    reduction = reduction_of(size_average, reduce, reduction)
    shape = torch.broadcast_shapes(input.shape, target.shape)
    if shape != input.shape:
        raise RuntimeError(f"output with shape {list(input.shape)} doesn't match the broadcast "
                           f"shape {list(shape)}")
    return _reduced(torch.log1p(torch.exp(-target * input)), reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
                         reduction="mean"):
    """The distance of what is near, and the margin less that of what is apart."""
    reduction = reduction_of(size_average, reduce, reduction)
    zeros = torch.zeros_like(input)
    apart = torch.where(target == 1, zeros, (margin - input).clamp_min(0))
    near = torch.where(target == -1, zeros, input)
    return _reduced(apart + near, reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                          reduction="mean"):
    """1 - cosine of what is near, the cosine above the margin of what is apart."""
    reduction = reduction_of(size_average, reduce, reduction)
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    lengths = ((input1 * input1).sum(dim) + 1e-12) * ((input2 * input2).sum(dim) + 1e-12)
    cosine = product / lengths.sqrt()
    zeros = torch.zeros_like(cosine)
    near = torch.where(target == 1, 1 - cosine, zeros)
    apart = torch.where(target == -1, (cosine - margin).clamp_min(0), zeros)
    return _reduced(near + apart, reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        size_average=None, reduce=None, reduction="mean"):
    """How much nearer the positive should be than the negative."""
    reduction = reduction_of(size_average, reduce, reduction)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None,
                      reduction="mean"):
    """How far other classes come within the margin of the right one."""
    reduction = reduction_of(size_average, reduce, reduction)
    rows = input if input.dim() == 2 else input.unsqueeze(0)
    classes = target.reshape(-1, 1)
    apart = (margin - rows.gather(1, classes) + rows).clamp(min=0)
    if p == 2:
        apart = apart * apart
    if weight is not None:
        apart = apart * weight[classes]
    apart = apart.scatter(1, classes, 0.0)
    loss = apart.sum(1) / rows.size(1)
    return _reduced(loss if input.dim() == 2 else loss[0], reduction)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None,
                                reduction="mean"):
    """binary_cross_entropy_with_logits, the mean over classes."""
    reduction = reduction_of(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(-1) / input.size(-1), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative logarithm of a normal distribution's probability."""
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif var.size()[:-1] != input.size()[:-1] or var.size(-1) != 1:
            raise ValueError("var is of incorrect size")
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    floor = var.detach().clamp(min=eps)
    var = var + (floor - var).detach()
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.9189385332046727
    return _reduced(loss, reduction)


from torch.nn._windows import (
    adaptive_avg_pool1d, adaptive_avg_pool2d, avg_pool1d, avg_pool2d, conv1d, conv2d, conv3d,
    conv_transpose1d, conv_transpose2d, conv_transpose3d, max_pool1d, max_pool2d)
from torch.nn._dropout import (
    alpha_dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout)
from torch.nn._resize import (
    channel_shuffle, interpolate, pixel_shuffle, pixel_unshuffle, upsample)
from torch.nn._attention import multi_head_attention_forward, scaled_dot_product_attention

# Names that few scripts use: the file is read when the first of them is asked for.


def _unfolding():
    import torch.nn._unfolding as file
    return file


def _adaptive_pooling():
    import torch.nn._adaptive_pooling as file
    return file


def _seldom_pooling():
    import torch.nn._seldom_pooling as file
    return file


def _bags():
    import torch.nn._bags as file
    return file


def _seldom_functions():
    import torch.nn._seldom_functions as file
    return file


def _statistics():
    import torch._statistics as file
    return file


def _ctc():
    import torch.nn._ctc as file
    return file


def _fractional():
    import torch.nn._fractional as file
    return file


def _grid():
    import torch.nn._grid as file
    return file


_SELDOM = {name: file for file, names in (
    (_unfolding, ("unfold", "fold")),
    (_adaptive_pooling, ("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
                         "adaptive_avg_pool3d")),
    (_seldom_pooling, ("max_pool3d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d",
                       "max_unpool1d", "max_unpool2d", "max_unpool3d")),
    (_bags, ("embedding_bag",)),
    (_grid, ("affine_grid", "grid_sample")),
    (_statistics, ("pdist",)),
    (_ctc, ("ctc_loss",)),
    (_fractional, ("fractional_max_pool2d", "fractional_max_pool3d", "fractional_max_pool2d_with_indices",
                   "fractional_max_pool3d_with_indices")),
    (_seldom_functions, ("rrelu", "rrelu_", "multilabel_margin_loss",
                         "triplet_margin_with_distance_loss", "max_pool1d_with_indices",
                         "max_pool2d_with_indices", "max_pool3d_with_indices")),
) for name in names}


def _seldom(name):
    """The function of that name, if it is one of those."""
    return getattr(_SELDOM[name](), name) if name in _SELDOM else None

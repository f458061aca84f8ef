"""Fills tensors in place with numbers to start from, PyTorch's own for the same seed."""
import math
import warnings

import torch


_LINEAR = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
           "conv_transpose3d", "sigmoid")


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        negative_slope = 0.01 if param is None else param
        if isinstance(negative_slope, bool) or not isinstance(negative_slope, (int, float)):
            raise ValueError(f"negative_slope {negative_slope} not a valid number")
        return math.sqrt(2.0 / (1 + negative_slope ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.size(1) * field, tensor.size(0) * field


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor, val):
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        return tensor.copy_(torch.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    a = math.sqrt(3.0) * std
    return uniform_(tensor, -a, a, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return normal_(tensor, 0.0, std, generator)


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def _has_elements(tensor):
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return 0 not in tensor.shape


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if not _has_elements(tensor):
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    std = calculate_gain(nonlinearity, a) / math.sqrt(fan)
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if not _has_elements(tensor):
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    std = calculate_gain(nonlinearity, a) / math.sqrt(fan)
    return normal_(tensor, 0.0, std, generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
                      "The distribution of values may be incorrect.", stacklevel=2)

    def below(x):  # the normal distribution's part below x
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    def near(values):
        return values.normal_(mean, std, generator=generator)

    def anywhere(values):
        return values.uniform_(a, b, generator=generator)

    # As the tensor's dtype has them, which rounds what is drawn too.
    least, most = (torch.tensor(bound, dtype=tensor.dtype).item() for bound in (a, b))
    share = below(b) - below(a)
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def is_outside(values):
        return (values < least) | (values > most)

    def is_too_rare(values):  # by the density's logarithm, against its greatest between the bounds
        density = ((values - mean) / std).pow(2) * -0.5 - peak
        return torch.empty_like(values).uniform_(generator=generator).log_() > density

    with torch.no_grad():
        if share > 0.3:
            return _draw_until_right(tensor, near, is_outside)
        return _draw_until_right(tensor, anywhere, is_too_rare)


def _draw_until_right(tensor, draw, is_wrong):
    """All are drawn again while some are wrong, which take what they are given then."""
    values = draw(tensor)
    wrong = is_wrong(values)
    while wrong.any():
        again = draw(torch.empty_like(tensor))
        values = torch.where(wrong, again, values)
        wrong = wrong & is_wrong(again)
    return tensor if values is tensor else tensor.copy_(values)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    with torch.no_grad():
        drawn = tensor.new_empty((rows, tensor.numel() // rows)).normal_(0, 1, generator=generator)
        is_wide = rows < drawn.size(1)
        vectors = _orthonormal_columns(drawn.t() if is_wide else drawn)
        vectors = vectors.t() if is_wide else vectors
        tensor.view_as(vectors).copy_(vectors)
        return tensor.mul_(gain)


def _orthonormal_columns(matrix):
    """Q of the matrix' QR decomposition whose R has a positive diagonal: the Gram-Schmidt process,
    each column twice, which is enough (Giraud and others, 2005), in float64. What lies along the
    columns before is taken from 32 at once, by products of matrices."""
    result = matrix.to(torch.float64, copy=True)
    for first in range(0, result.size(1), 32):
        block = result[:, first:first + 32]
        block.copy_(_without(block, result[:, :first]))
        for i in range(block.size(1)):
            column = _without(block[:, i], block[:, :i])
            block[:, i] = column / column.norm()
    return result.to(matrix.dtype)


def _without(vectors, directions):
    """What is left of the vectors beside these orthonormal directions."""
    for _ in range(2):
        vectors = vectors - directions @ (directions.t() @ vectors)
    return vectors


def dirac_(tensor, groups=1):
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    channels = tensor.size(0) // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for i in range(min(channels, tensor.size(1))):
                tensor[(group * channels + i, i, *middle)] = 1
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


def _old(function):
    """The name that it had once, which still works."""
    name = function.__name__
    old_name = name[:-1]

    def fill(*args, **kwargs):
        warnings.warn(f"`nn.init.{old_name}` is now deprecated in favor of `nn.init.{name}`.",
                      FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    fill.__name__ = old_name
    return fill


uniform, normal, constant, eye, dirac = map(_old, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = map(_old, (xavier_uniform_, xavier_normal_))
kaiming_uniform, kaiming_normal = map(_old, (kaiming_uniform_, kaiming_normal_))
orthogonal, sparse = map(_old, (orthogonal_, sparse_))

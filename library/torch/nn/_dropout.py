"""Functions of `torch.nn.functional` that drop whole channels, or keep mean and variance.

    dropout2d(x, 0.5)        each channel of each image is 0, or twice what it was
    alpha_dropout(x, 0.5)    what is dropped becomes SELU's least value
"""
import warnings
import torch

_SELU_LEAST = 1.7580993408473766  # scale * alpha, negated


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _channel_noise(input):
    """A place for each channel of each example."""
    if input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return input.new_empty(list(input.shape[:2]) + [1] * (input.dim() - 2))


def _drop_channels(input, p, training, inplace):
    if p == 0 or not training or input.numel() == 0:
        return input
    if p == 1:
        noise = torch.zeros_like(_channel_noise(input))
    else:
        noise = _channel_noise(input).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def _warn_of_rank(name, input, count):
    warnings.warn(
        f"{name}: Received a {input.dim()}-D input to {name}, which is deprecated and will result "
        "in an error in a future release. To retain the behavior and silence this warning, please "
        f"use dropout instead. Note that {name} exists to provide channel-wise dropout on inputs "
        f"with {count} spatial dimensions, a channel dimension, and an optional batch dimension "
        f"(i.e. {count + 1}D or {count + 2}D inputs).", stacklevel=3)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Drops whole channels of signals."""
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).")
    if input.dim() == 3:
        return _drop_channels(input, p, training, inplace)
    whole = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop_channels(whole, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Drops whole channels of images."""
    _check_probability(p)
    if input.dim() not in (3, 4):
        _warn_of_rank("dropout2d", input, 2)
    elif input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
            "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel "
            "dim. This behavior will change in a future release to interpret the input as one "
            "without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead.", stacklevel=2)
    return _drop_channels(input, p, training, inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Drops whole channels of volumes."""
    _check_probability(p)
    if input.dim() not in (4, 5):
        _warn_of_rank("dropout3d", input, 3)
    if input.dim() == 5:
        return _drop_channels(input, p, training, inplace)
    whole = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop_channels(whole, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _alpha_drop(input, noise, p):
    """Scaled and shifted so that mean 0 and variance 1 stay."""
    if p == 1:
        return input * torch.zeros_like(noise)
    scale = 1 / ((_SELU_LEAST * _SELU_LEAST * p + 1) * (1 - p)) ** 0.5
    noise.bernoulli_(1 - p)
    shift = noise.add(-1).mul_(_SELU_LEAST * scale).add_(_SELU_LEAST * scale * p)
    return input * noise.mul_(scale) + shift


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean 0 and variance 1, behind `selu`."""
    _check_probability(p)
    if p == 0 or not training or input.numel() == 0:
        return input
    result = _alpha_drop(input, torch.empty_like(input), p)
    return input.copy_(result) if inplace else result


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """`alpha_dropout` of whole channels."""
    _check_probability(p)
    if p == 0 or not training or input.numel() == 0:
        return input
    result = _alpha_drop(input, _channel_noise(input), p)
    return input.copy_(result) if inplace else result

"""`torch.nn.utils`: gradients kept within bounds, parameters as one vector, padded sequences,
parametrizations, pruning, and what normalises weights."""
import sys

import torch
from torch import _native
from torch.nn.utils import rnn


def _with_gradients(parameters):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
    return [p for p in parameters if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
    norm_type = float(norm_type)
    if len(tensors) == 0:
        return torch.tensor(0.0)
    norms = torch.stack([torch.norm(tensor, norm_type) for tensor in tensors])
    total = norms.max() if norm_type == float("inf") else torch.norm(norms, norm_type)
    if error_if_nonfinite and not torch.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`")
    return total


@torch.no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    scale = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
    for parameter in _with_gradients(parameters):
        parameter.grad.mul_(scale)


@torch.no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales all gradients, so that their norm taken together is at most `max_norm`."""
    wanted = _with_gradients(parameters)
    total = get_total_norm([p.grad for p in wanted], norm_type, error_if_nonfinite)
    clip_grads_with_norm_(wanted, float(max_norm), total)
    return total


@torch.no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None):
    for parameter in _with_gradients(parameters):
        parameter.grad.clamp_(-float(clip_value), float(clip_value))


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The name that `clip_grad_norm_` had before PyTorch 0.4."""
    import warnings
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def parameters_to_vector(parameters):
    return torch.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    place = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = vec[place:place + count].view_as(parameter).data
        place += count


# Names that few scripts use: the file is read when the first of them is asked for.
_FILES = {
    "_hooked_norms": ("weight_norm", "remove_weight_norm", "spectral_norm", "remove_spectral_norm"),
    "fusion": ("fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"),
    "init": ("skip_init",),
}
_SELDOM = {name: file for file, names in _FILES.items() for name in names}
_MODULES = ("parametrize", "parametrizations", "prune", "fusion")


def _seldom(name):
    """The function or file of that name, if it is one of those."""
    file = _SELDOM.get(name, name)
    if name not in _SELDOM and name not in _MODULES:
        return None
    __import__(f"{__name__}.{file}")
    found = sys.modules[f"{__name__}.{file}"]
    return getattr(found, name) if name in _SELDOM else found


_native.set_late_names(sys.modules[__name__], _seldom)

"""`torch.cuda.amp`: the former names of `torch.amp`, for GPUs."""
import warnings

import torch
from torch import amp


def _deprecated(what, instead):
    warnings.warn(f"`torch.cuda.amp.{what}` is deprecated. Please use `torch.amp.{instead}` instead.",
                  FutureWarning, stacklevel=3)


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        _deprecated("autocast(args...)", "autocast('cuda', args...)")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(amp.GradScaler):
    def __init__(self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5,
                 growth_interval=2000, enabled=True):
        _deprecated("GradScaler(args...)", "GradScaler('cuda', args...)")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    _deprecated("custom_fwd(args...)", "custom_fwd(args..., device_type='cuda')")
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    _deprecated("custom_bwd(args...)", "custom_bwd(args..., device_type='cuda')")
    return amp.custom_bwd(bwd, device_type="cuda")

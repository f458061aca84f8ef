"""`torch.autocast`: operators get their tensors in the dtypes that suit them, for a `with` block or a
decorated function. Which get which is said once, in `ops/autocast.cpp`."""
import functools
import warnings

import torch
from torch import _native


def is_autocast_available(device_type):
    return device_type in ("cpu", "cuda")


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not is_autocast_available(device_type):
            torch.device(device_type)  # raises where there is no such kind
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        _, default, cached = _native.autocast_state(device_type)
        self.device = device_type
        self.fast_dtype = default if dtype is None else dtype
        self._cache_enabled = cached if cache_enabled is None else cache_enabled
        self._enabled = enabled and self._is_possible()

    def _is_possible(self):
        if self.device == "cuda":
            if _native.has_gpu():
                return True
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.",
                          stacklevel=3)
            return False
        if self.fast_dtype is torch.bfloat16 or self.fast_dtype is torch.float16:
            return True
        warnings.warn("In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                      "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
                      stacklevel=3)
        return False

    # As in PyTorch it remembers one state: who enters it twice does not come back to the first.
    def __enter__(self):
        self.prev, self.prev_fastdtype, self.prev_cache_enabled = _native.autocast_state(self.device)
        _native.set_autocast_state(self.device, self._enabled, self.fast_dtype,
                                   self._cache_enabled)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        _native.set_autocast_state(self.device, self.prev, self.prev_fastdtype,
                                   self.prev_cache_enabled)
        return False

    def __call__(self, func):
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. "
                f"Did you mean to use autocast as a context manager? For example:\n"
                f"    with torch.autocast(device_type=...):\n"
                f"        output = model(input)")

        def decorate_autocast(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return functools.wraps(func)(decorate_autocast)


def _cast(value, device_type, dtype):
    if isinstance(value, torch.Tensor):
        eligible = (value.is_floating_point() and value.device.type == device_type
                    and value.dtype is not torch.float64)
        return value.to(dtype) if eligible else value
    if isinstance(value, dict):
        return {_cast(key, device_type, dtype): _cast(each, device_type, dtype)
                for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(each, device_type, dtype) for each in value])
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For the `forward` of a `torch.autograd.Function`: it casts its inputs, and runs as it stands."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    def decorate_fwd(ctx, *args, **kwargs):
        ctx._dtype = torch.get_autocast_dtype(device_type)
        active = torch.is_autocast_enabled(device_type)
        ctx._fwd_used_autocast = active and cast_inputs is None
        if cast_inputs is None or not active:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type=device_type, enabled=False):
            return fwd(ctx, *_cast(args, device_type, cast_inputs),
                       **_cast(kwargs, device_type, cast_inputs))

    return functools.wraps(fwd)(decorate_fwd)


def custom_bwd(bwd=None, *, device_type):
    """For the `backward` beside it: in the state that `forward` ran in."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    def decorate_bwd(ctx, *args, **kwargs):
        with autocast(device_type=device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return functools.wraps(bwd)(decorate_bwd)

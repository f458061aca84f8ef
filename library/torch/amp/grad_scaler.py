"""`torch.amp.GradScaler`: the loss times a scale, so that small gradients do not vanish in float16; a
step is left out where one became infinite, and the scale is made smaller."""
import math
import warnings

import torch
from torch import _native

_READY, _UNSCALED, _STEPPED = 0, 1, 2
_NO_SCALE = ("This may indicate your script did not use scaler.scale(loss or outputs) earlier in the "
             "iteration.")


class GradScaler:
    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5,
                 growth_interval=2000, enabled=True):
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not _native.has_gpu():
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  "
                          "Disabling.", stacklevel=2)
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        self._scale = None
        self._states = {}

    # ---- one iteration ----

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, torch.Tensor):
            if self._scale is None:
                self._scale = torch.full((), self._init_scale, dtype=torch.float32,
                                         device=outputs.device)
            return outputs * self._scale.to(outputs.device)
        if isinstance(outputs, (list, tuple)):
            return type(outputs)([self.scale(each) for each in outputs])
        if hasattr(outputs, "__iter__"):
            return map(self.scale, outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        self._check_scaled("unscale_")
        state = self._state_of(optimizer)
        if state["stage"] == _UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last "
                               "update().")
        if state["stage"] == _STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        state["found_inf"] = self._unscale_grads(optimizer)
        state["stage"] = _UNSCALED

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scaled("step")
        state = self._state_of(optimizer)
        if state["stage"] == _STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] == _READY:
            self.unscale_(optimizer)
        if state["found_inf"] is None:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = None
        if not state["found_inf"].item():
            result = optimizer.step(*args, **kwargs)
        state["stage"] = _STEPPED
        return result

    def update(self, new_scale=None):
        if not self._enabled:
            return
        self._check_scaled("update")
        if new_scale is None:
            self._update_by_gradients()
        elif isinstance(new_scale, float):
            self._scale.fill_(new_scale)
        else:
            self._copy_scale(new_scale)
        self._states = {}

    def _check_scaled(self, name):
        if self._scale is None:
            raise AssertionError(f"Attempted {name} but _scale is None.  {_NO_SCALE}")

    def _state_of(self, optimizer):
        # The optimizer is kept: its id must not become another one's meanwhile.
        return self._states.setdefault(
            id(optimizer), {"stage": _READY, "found_inf": None, "of": optimizer})

    def _unscale_grads(self, optimizer):
        """Whether a gradient is infinite or no number, as a tensor; None where there is none."""
        inverse = self._scale.double().reciprocal().float()
        found = None
        with torch.no_grad():
            for group in optimizer.param_groups:
                for param in group["params"]:
                    if param.grad is None:
                        continue
                    if param.grad.dtype is torch.float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    bad = torch.logical_not(torch.isfinite(param.grad).all())
                    found = bad if found is None else torch.logical_or(found, bad)
                    param.grad.mul_(inverse)
        return found

    def _update_by_gradients(self):
        found = [state["found_inf"] for state in self._states.values()
                 if state["found_inf"] is not None]
        if not found:
            raise AssertionError("No inf checks were recorded prior to update.")
        if any([each.item() for each in found]):
            self._scale.mul_(self._backoff_factor)
            self._growth_tracker = 0
            return
        self._growth_tracker += 1
        if self._growth_tracker != self._growth_interval:
            return
        self._growth_tracker = 0
        grown = self._scale * self._growth_factor
        if math.isfinite(grown.item()):
            self._scale.copy_(grown)

    def _copy_scale(self, new_scale):
        fits = (new_scale.device.type == self._device and new_scale.numel() == 1
                and not new_scale.requires_grad)
        if not fits:
            raise AssertionError("new_scale should be a float or a 1-element torch.cuda.FloatTensor "
                                 "or torch.FloatTensor with requires_grad=False.")
        self._scale.copy_(new_scale)

    # ---- what it is set to ----

    def is_enabled(self):
        return self._enabled

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def state_dict(self):
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor,
                "backoff_factor": self._backoff_factor, "growth_interval": self._growth_interval,
                "_growth_tracker": self._growth_tracker}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a "
                               "disabled instance of GradScaler.")
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]

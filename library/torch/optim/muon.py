"""Muon: the momentum of a matrix, made nearly orthonormal by some steps of Newton and Schulz (Jordan, 2024).

    optimizer = torch.optim.Muon([p for p in model.parameters() if p.ndim == 2], lr=0.02)
"""
import math

import torch
from torch.optim.optimizer import PerParameterOptimizer

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def _orthonormal(gradient, coefficients, steps, eps):
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    is_tall = gradient.size(0) > gradient.size(1)
    x = gradient.to(torch.bfloat16)
    x = x.T if is_tall else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if is_tall else x


def _rate_for(shape, adjust):
    rows, columns = shape
    if adjust == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    if adjust == "spectral_unclamped":
        return math.sqrt(rows / columns)
    return math.sqrt(max(1, rows / columns))


class Muon(PerParameterOptimizer):
    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
                 ns_coefficients=_COEFFICIENTS, eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for value, text in ((lr, "Learning rate"), (momentum, "momentum"), (weight_decay, "weight decay")):
            if not 0.0 <= value:
                raise ValueError(f"{text} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw", "spectral_unclamped"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn})
        for group in self.param_groups:
            for param in group["params"]:
                if param.ndim != 2:
                    raise ValueError("Muon only supports 2D parameters whereas we found a parameter with size: "
                                     f"{param.size()}")

    def _update(self, param, group):
        state = self.state[param]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(param.grad)
        mean = state["momentum_buffer"].lerp_(param.grad, 1 - group["momentum"])
        step = param.grad.lerp(mean, group["momentum"]) if group["nesterov"] else mean
        step = _orthonormal(step, group["ns_coefficients"], group["ns_steps"], group["eps"])
        param.mul_(1 - group["lr"] * group["weight_decay"])
        param.add_(step, alpha=-group["lr"] * _rate_for(param.shape, group["adjust_lr_fn"]))

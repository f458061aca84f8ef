# tolerance: 1e-3
# Values and gradients of activations and losses at NaN, infinities, zeros and kinks. There are as many
# elements as vectors of PyTorch's have: what its loops leave over may differ from the rest at NaN.
import math

import torch
import torch.nn.functional as F

inf, nan = math.inf, math.nan
points = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 6.0, 19.0, 20.5, 0.001, 0.7, -0.7, 30.0, -30.0,
          1e30, -1e30, 4.0, -4.0, 0.1, 0.3, -0.1, 0.2, 0.05, 1.7, -0.2]


def shown(t):
    return " ".join(["nan" if v != v else "%.4g" % (v + 0.0) for v in t.detach().double().reshape(-1).tolist()])


def at(label, function, *inputs):
    leaves = [i.clone().requires_grad_() for i in inputs]
    try:
        y = function(*leaves)
        y.backward(torch.full_like(y, 2.0))
    except (RuntimeError, NotImplementedError) as error:
        print(label, type(error).__name__, error)
        return
    print(label, shown(y) if y.dim() == 0 else shown(y[:32]))
    for leaf in leaves:
        print("   ", None if leaf.grad is None else shown(leaf.grad[:32]))


activations = {name: getattr(F, name) for name in (
    "relu", "relu6", "elu", "selu", "celu", "leaky_relu", "hardtanh", "hardswish", "hardsigmoid", "hardshrink", "softshrink",
    "tanhshrink", "softsign", "silu", "sigmoid", "tanh")}
activations.update({
    "elu 2": lambda x: F.elu(x, 2.0), "celu 2": lambda x: F.celu(x, 2.0), "leaky_relu -0.5": lambda x: F.leaky_relu(x, -0.5),
    "hardtanh -0.5 3": lambda x: F.hardtanh(x, -0.5, 3.0), "threshold": lambda x: F.threshold(x, 0.5, 9.0),
    "hardshrink 3": lambda x: F.hardshrink(x, 3.0), "softshrink 0": lambda x: F.softshrink(x, 0.0),
    "softplus 2 6": lambda x: F.softplus(x, 2.0, 6.0), "clamp": lambda x: torch.clamp(x, -0.5, 2.0),
    "clamp crossed": lambda x: x.clamp(2.0, -2.0), "prelu": lambda x: F.prelu(x, torch.tensor([0.25], dtype=x.dtype)),
    "abs": torch.abs, "sqrt": torch.sqrt, "log": torch.log, "reciprocal": torch.reciprocal, "x ** 0.5": lambda x: x ** 0.5,
    "x ** 0": lambda x: x ** 0, "frac": torch.frac, "nan_to_num": torch.nan_to_num, "logit": torch.logit,
    "xlogy": lambda x: torch.xlogy(x, x), "sinc": torch.sinc, "ndtr": torch.special.ndtr})
for dtype in (torch.float32, torch.float64):
    x = torch.tensor(points * 2, dtype=dtype)
    for name, function in activations.items():
        at(name, function, x)

a = torch.tensor([1.0, nan, inf, -inf, 0.0, 0.0, 2.0, -1.0, 1e30, 0.5, 3.0, -3.0, 1.0, -0.0, inf, 0.0] * 4)
b = torch.tensor([1.0, 1.0, inf, 1.0, 0.0, 1.0, nan, -1.0, -1e30, 1.5, 2.0, -2.0, 0.0, 0.0, -inf, -0.0] * 4)
for name, function in {
        "mse": F.mse_loss, "l1": F.l1_loss, "smooth_l1": F.smooth_l1_loss, "huber": F.huber_loss,
        "huber 2": lambda x, y, reduction: F.huber_loss(x, y, reduction, 2.0),
        "smooth_l1 0": lambda x, y, reduction: F.smooth_l1_loss(x, y, reduction=reduction, beta=0.0),
        "bce logits": lambda x, y, reduction: F.binary_cross_entropy_with_logits(x, y.detach(), reduction=reduction),
        "hinge": lambda x, y, reduction: F.hinge_embedding_loss(x, y.detach(), reduction=reduction),
        "soft margin": lambda x, y, reduction: F.soft_margin_loss(x, y.detach(), reduction=reduction),
        "soft margin's target": lambda x, y, reduction: F.soft_margin_loss(x, y, reduction=reduction)}.items():
    for reduction in ("none", "mean"):
        at(name + " " + reduction, lambda x, y: function(x, y, reduction=reduction), a, b)
for name, function in {"maximum": torch.maximum, "fmin": torch.fmin, "xlog1py": torch.special.xlog1py, "hypot": torch.hypot,
                       "div": torch.div, "remainder": torch.remainder, "atan2": torch.atan2}.items():
    at(name, function, a, b)
m = torch.tensor([[1.0, 1.0, nan, 3.0], [2.0, 1.0, 1.0, nan]])
for name, function in {"max": torch.max, "median": torch.median, "nanmedian": torch.nanmedian, "norm": torch.norm}.items():
    at(name, function, m)
    at(name, function, torch.nan_to_num(m))

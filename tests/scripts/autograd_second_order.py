# The node, the gradient and the gradient's gradient of functions with kinks, and at their edges.
import math

import torch
import torch.nn.functional as F

inf, nan = math.inf, math.nan
points = [0.5, -1.5, 0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 6.0, inf, -inf, nan, 0.25, -2.5, 4.0]  # as many as two vectors of PyTorch's have
x = torch.tensor(points, dtype=torch.float64)


def numbers(t):
    if t is None:
        return "None"
    return " ".join(["nan" if v != v else f"{v + 0.0:.5g}" for v in (t.detach() + 0.0).reshape(-1).tolist()])


def node(t):
    return t.grad_fn.name() if t.grad_fn is not None else None


def derivatives(label, f, *inputs):
    leaves = [i.clone().requires_grad_() for i in inputs]
    y = f(*leaves)
    if isinstance(y, tuple):
        print(label, "places", y[1].tolist(), type(y).__name__)
        y = y[0]
    print(label, node(y), numbers(y))
    weights = (torch.arange(1.0, y.numel() + 1, dtype=y.dtype) * 0.25 + 0.5).reshape(y.shape)
    weights.requires_grad_()
    for g in torch.autograd.grad(y, leaves, weights, create_graph=True):
        again = node(g) or ""
        print("    ", numbers(g), again if "BackwardBackward" in again else "")
        if not g.requires_grad:
            continue
        for h in torch.autograd.grad(g, leaves + [weights], torch.full(g.shape, 0.75, dtype=g.dtype),
                                     allow_unused=True, retain_graph=True):
            print("        ", numbers(h))


FUNCTIONS = {
    "relu": F.relu, "relu6": F.relu6, "elu": F.elu, "selu": F.selu, "celu": F.celu,
    "leaky_relu": F.leaky_relu, "hardtanh": F.hardtanh, "hardswish": F.hardswish,
    "softplus": F.softplus, "hardshrink": F.hardshrink, "softshrink": F.softshrink,
    "elu of 2": lambda a: F.elu(a, 2.0), "celu of 2": lambda a: F.celu(a, 2.0),
    "leaky_relu of 0.3": lambda a: F.leaky_relu(a, 0.3),
    "hardtanh of 2": lambda a: F.hardtanh(a, -2, 2),
    "threshold": lambda a: F.threshold(a, 0.5, -2.0),
    "softplus of 2": lambda a: F.softplus(a, 2, 1),
    "hardshrink of 1": lambda a: F.hardshrink(a, 1.0),
    "softshrink of 1": lambda a: F.softshrink(a, 1.0),
    "frac": torch.frac, "sgn": torch.sgn, "deg2rad": torch.deg2rad, "rad2deg": torch.rad2deg,
    "sinc": torch.sinc, "logit": torch.logit, "logit of 0.1": lambda a: torch.logit(a, 0.1),
    "nan_to_num": torch.nan_to_num, "nan_to_num of 1": lambda a: a.nan_to_num(1.0, 2.0, 3.0),
}
for label, function in FUNCTIONS.items():
    derivatives(label, function, x)
for name in ("frac_", "sgn_", "deg2rad_", "sinc_", "logit_", "nan_to_num_"):
    derivatives(name, lambda a: getattr(a * 1, name)(), x)
for name in ("elu", "selu", "celu", "leaky_relu", "relu", "hardtanh", "hardswish"):
    y = getattr(F, name)(x.clone().requires_grad_() * 1, inplace=True)
    print(name, "in place", node(y), numbers(y))

ROWS = {"plain": [1.0, 3.0, -2.0, 3.0], "ties": [2.0, 2.0, -1.0, 2.0], "zeros": [0.0, -0.0, 3.0, 0.0],
        "infinite": [1.0, inf, -inf, 2.0], "nan": [1.0, nan, nan, 2.0]}
for label, row in ROWS.items():
    one = torch.tensor(row, dtype=torch.float64)
    two = torch.tensor([row, [1.0, 2.0, 3.0, 4.0]], dtype=torch.float64)
    derivatives("median " + label, torch.median, one)
    derivatives("median of rows " + label, lambda a: torch.median(a, 1), two)
    derivatives("median kept " + label, lambda a: a.median(dim=0, keepdim=True), two)
    derivatives("max " + label, torch.max, one)
    derivatives("min " + label, torch.min, one)
    derivatives("trace " + label, torch.trace, two)
    for p in (1, 2, 3) if label == "nan" else (1, 2, 3, inf):
        derivatives(f"dist {p} " + label, lambda a, b: torch.dist(a, b, p), one, one.flip(0))
print(torch.median(torch.tensor([[3, 1, 2], [6, 5, 4]]), 1), torch.median(torch.tensor([4, 2, 8, 6])))
print(torch.tensor(3.0).median(0), torch.trace(torch.arange(6).reshape(2, 3)))
try:
    torch.trace(torch.ones(2))
except RuntimeError as error:
    print(error)
try:
    F.softshrink(torch.ones(2), -1.0)
except RuntimeError as error:
    print(error)

# Derivatives at singular points, and what they change with there.
import math
import torch
import torch.nn.functional as F

inf, nan = math.inf, math.nan
T = torch.tensor


def rounded(x):
    return None if x is None else (x.detach().round(decimals=4) + 0.0).tolist()


def show(name, f, *inputs):
    leaves = [x.clone().requires_grad_() for x in inputs]
    try:
        r = f(*leaves)
        if isinstance(r, tuple):
            r = r[0]
        w = torch.arange(1, r.numel() + 1).to(r.dtype).reshape(r.shape)
        grads = torch.autograd.grad(r, leaves, w, create_graph=True, allow_unused=True)
        print(name, type(r.grad_fn).__name__, [rounded(g) for g in grads])
        for k, g in enumerate(grads):
            if g is not None and g.requires_grad:
                weighted = (g * torch.arange(1, g.numel() + 1).reshape(g.shape)).sum()
                again = torch.autograd.grad(weighted, leaves, allow_unused=True, retain_graph=True)
                print("   ", k, [rounded(s) for s in again])
    except RuntimeError as error:
        print(name, error)


z3 = torch.zeros(3)
x = T([0.0, -0.0, 2.0])
for e in (2, 3, 1, 0, 1.5, 2.5, -1, 4.0):
    show(f"pow {e}", lambda x: x ** e, x)
show("pow tensor", torch.pow, T([0.0, 0.0, 0.0, 2.0, 0.0]), T([0.0, 1.0, 2.0, 0.0, 1.5]))
show("square", torch.square, x)
show("base 0", lambda x: 0.0 ** x, x)
show("base 2", lambda x: 2.0 ** x, x)
show("atan2", torch.atan2, T([0.0, 0.0, 1.0]), T([0.0, 1.0, 0.0]))
show("clamp t", torch.clamp, T([1.0, 2.0, 3.0, 0.0, 3.0]), T([1.0, 2.0, 0.0, 1.0, 2.0]),
     T([2.0, 2.0, 3.0, 1.0, 2.0]))
show("clamp t crossing", torch.clamp, T([1.0, 2.0, 3.0, 4.0]), T([2.0, 3.0, 3.0, 5.0]),
     T([1.0, 2.0, 1.0, 5.0]))
show("clamp min t", lambda x, y: torch.clamp(x, min=y), T([1.0, 2.0, nan]), T([1.0, 3.0, 1.0]))
show("clamp max t", lambda x, y: torch.clamp(x, max=y), T([1.0, 2.0, 3.0]), T([1.0, 3.0, nan]))
show("clamp n", lambda x: torch.clamp(x, 1.0, 2.0), T([1.0, 2.0, 3.0, nan]))
show("topk", lambda x: torch.topk(x, 2), T([1.0, 3.0, 3.0, 3.0, 2.0]))
show("topk least", lambda x: torch.topk(x, 3, largest=False), T([1.0, 3.0, 1.0, 3.0, 1.0]))
show("topk 2d", lambda x: torch.topk(x, 2), T([[2.0, 2.0, 2.0, 1.0],[0., 5., 5., 5.]]))
show("median", lambda x: torch.median(x), T([3.0, 3.0, 3.0, 1.0, 1.0]))
show("sort", lambda x: torch.sort(x, descending=True), T([3.0, 3.0, 3.0, 1.0, 1.0]))
show("cumprod", lambda x: torch.cumprod(x, 0), T([2.0, 0.0, 3.0, 4.0]))
show("prod", lambda x: torch.prod(x), T([2.0, 0.0, 3.0, 4.0]))
show("prod dim", lambda x: torch.prod(x, 1), T([[2.0, 0.0, 3.0],[0., 0., 3.]]))
show("norm inf nan", lambda x: torch.norm(x, inf), T([1.0, nan, 3.0]))
show("norm inf tie", lambda x: torch.norm(x, inf), T([3.0, -3.0, 1.0]))
show("norm -inf", lambda x: torch.norm(x, -inf), T([3.0, 0.0, 0.0]))
show("norm 1", lambda x: torch.norm(x, 1), T([0.0, 2.0]))
show("norm 2 zero", lambda x: torch.norm(x), z3)
show("norm 3 zero", lambda x: torch.norm(x, 3), z3)
show("norm 0.5", lambda x: torch.norm(x, 0.5), T([0.0, 2.0]))
show("norm 1.5", lambda x: torch.norm(x, 1.5), T([0.0, 2.0]))
show("normalize", lambda x: F.normalize(x, dim=0), z3)
show("normalize p1", lambda x: F.normalize(x, p=1.0, dim=0), T([0.0, 1.0]))
show("normalize 2", lambda x: F.normalize(x, dim=0), T([3.0, 4.0]))
show("max tie", lambda x: x.max(), T([3.0, 3.0, 1.0]))
show("amax tie", lambda x: x.amax(), T([3.0, 3.0, 1.0]))
show("sqrt", torch.sqrt, x)
show("rsqrt", torch.rsqrt, T([0.0, 4.0]))
show("abs", torch.abs, x)
show("log", torch.log, x)
show("log1p", torch.log1p, T([-1.0, 0.0]))
show("acos", torch.acos, T([1.0, -1.0, 0.0]))
show("div", torch.div, T([0.0, 1.0]), T([0.0, 0.0]))
show("logsumexp", lambda x: torch.logsumexp(x, 0), T([-inf, -inf]))
show("softmax inf", lambda x: torch.softmax(x, 0), T([-inf, 1.0]))
show("std eq", lambda x: torch.std(x), T([1.0, 1.0]))
show("relu", torch.relu, x)
show("elu", F.elu, x)
show("sinc", torch.sinc, x)
show("dist", torch.dist, z3, z3)
show("lerp", lambda x, y, w: torch.lerp(x, y, w), T([1.0]), T([2.0]), T([0.5]))
show("minmax", torch.maximum, T([1.0, nan, 2.0]), T([1.0, 1.0, nan]))
show("remainder", torch.remainder, T([1.0, -5.0]), T([2.0, 3.0]))
show("fmod", torch.fmod, T([1.0, -5.0]), T([2.0, 3.0]))
show("diag", torch.diag, z3)
show("diag2", lambda x: torch.diag(x), torch.ones(2, 2))
show("diag emb", lambda x: torch.diag_embed(x), z3)
show("cross", lambda x, y: torch.cross(x, y, dim=0), z3 + 1, T([1.0, 2.0, 3.0]))
show("vdot", torch.vdot, z3 + 1, T([1.0, 2.0, 3.0]))
show("heaviside", lambda x: torch.heaviside(x, T([1.0])), T([1.0]))

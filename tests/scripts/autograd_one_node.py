# Operators that are one node of the tape: its name, and derivatives at the kinks.
import math
import torch
import torch.nn.functional as F

inf, nan = math.inf, math.nan


def show(name, f, *inputs):
    leaves = [x.clone().requires_grad_() for x in inputs]
    result = f(*leaves)
    results = result if isinstance(result, tuple) else (result,)
    names = [type(r.grad_fn).__name__ if r.requires_grad else "None" for r in results]
    print(name, names)
    for r in results:
        if not r.requires_grad:
            continue
        weights = torch.arange(1, r.numel() + 1).to(r.dtype).reshape(r.shape)
        grads = torch.autograd.grad(r, leaves, weights, retain_graph=True, create_graph=True,
                                    allow_unused=True)
        for g in grads:
            print("  ", None if g is None else g.detach())
        total = sum((g * g).sum() for g in grads if g is not None and g.requires_grad)
        if isinstance(total, torch.Tensor) and total.requires_grad:
            for g in torch.autograd.grad(total, leaves, allow_unused=True, retain_graph=True):
                rounded = None if g is None else g.round(decimals=2) + 0.0
                if g is not None and rounded.any():
                    print("    ", rounded)


a = torch.tensor([1.5, -2.0, 0.0, 3.0, 0.5])
b = torch.tensor([2.0, 0.5, 1.0, 3.0, 4.0])
k = torch.tensor([0.0, 0.0, 1.0, 2.0, -1.0])
m = torch.tensor([0.0, 2.0, 1.0, 0.5, -1.0])
z = torch.zeros(5)

show("xlogy", torch.xlogy, a, b)
show("xlogy kinks", torch.xlogy, k, m)
show("xlogy number", lambda y: torch.xlogy(2, y), b)
show("xlogy by number", lambda x: torch.xlogy(x, 3.0), a)
show("xlogy by zero", lambda x: torch.xlogy(x, 0.0), k)
show("xlogy method", lambda x, y: x.xlogy(y), a, b)
show("fmax", torch.fmax, a, b)
show("fmax kinks", torch.fmax, torch.tensor([1.0, nan, 2.0, nan, inf]),
     torch.tensor([1.0, 2.0, nan, nan, inf]))
show("fmin", torch.fmin, a, b)
show("fmin kinks", torch.fmin, torch.tensor([1.0, nan, 2.0, nan, inf]),
     torch.tensor([1.0, 2.0, nan, nan, inf]))
show("hypot", torch.hypot, a, b)
show("hypot kinks", torch.hypot, z, k)
show("logaddexp", torch.logaddexp, a, b)
show("logaddexp ends", torch.logaddexp, torch.tensor([inf, -inf, 1000.0]),
     torch.tensor([1.0, 1.0, -1000.0]))
show("logaddexp2", torch.logaddexp2, a, b)
show("copysign", torch.copysign, a, k)
show("copysign number", lambda x: torch.copysign(x, -2.0), a)
show("copysign kinks", torch.copysign, k, torch.tensor([0.0, -0.0, -0.0, 1.0, 0.0]))

x = torch.tensor([[1.0, 3.0, 3.0], [2.0, nan, 0.5]])
y = torch.tensor([[1.0, 3.0, 3.0], [2.0, -1.0, 0.5]])
show("nansum", torch.nansum, x)
show("nansum dim", lambda x: x.nansum(1, keepdim=True), x)
show("nanmean", torch.nanmean, x)
show("aminmax", torch.aminmax, y)
show("aminmax dim", lambda x: torch.aminmax(x, dim=1), y)
show("aminmax keepdim", lambda x: x.aminmax(dim=0, keepdim=True), y)
show("std_mean", torch.std_mean, y)
show("std_mean dim", lambda x: torch.std_mean(x, 1), y)
show("std_mean correction", lambda x: torch.std_mean(x, dim=0, correction=0, keepdim=True), y)
show("var_mean", torch.var_mean, y)
show("var_mean biased", lambda x: torch.var_mean(x, 1, False), y)
show("std_mean of equals", lambda x: torch.std_mean(x, 1), torch.ones(2, 3))
show("cummax", lambda x: torch.cummax(x, 1), y)
show("cummax nan", lambda x: torch.cummax(x, 1), x)
show("cummin", lambda x: x.cummin(0), y)
show("logcumsumexp", lambda x: torch.logcumsumexp(x, 1), y)
show("logcumsumexp inf", lambda x: torch.logcumsumexp(x, 0), torch.tensor([-inf, 1.0, -2.0]))
show("mode", lambda x: torch.mode(x), torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 0.5]]))
show("mode dim", lambda x: x.mode(0, True), torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 3.0]]))

show("huber", F.huber_loss, a, b)
show("huber delta", lambda x, y: F.huber_loss(x, y, reduction="sum", delta=0.5), a, b)
show("huber kinks", lambda x, y: F.huber_loss(x, y, reduction="none"),
     torch.tensor([1.0, -1.0, 0.0]), torch.zeros(3))
show("smooth_l1 kinks", lambda x, y: F.smooth_l1_loss(x, y, beta=0.5, reduction="none"),
     torch.tensor([0.5, -0.5, 0.0]), torch.zeros(3))
show("glu", F.glu, torch.arange(8.0).reshape(2, 4) - 3)
show("glu dim", lambda x: F.glu(x, 0), torch.arange(8.0).reshape(2, 4) - 3)
show("prelu", F.prelu, torch.tensor([0.5, -2.0]), torch.tensor([0.25]))
show("prelu channels", F.prelu, y - 1.5, torch.tensor([0.25, 0.5, 0.75]))
c = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]])
w = torch.tensor([2.0, 0.5])
v = torch.tensor([0.1, -0.2])
mean, var = torch.zeros(2), torch.ones(2)
show("batch_norm", lambda x, w, v: F.batch_norm(x, mean, var, w, v, training=True), c, w, v)
print(mean, var)
show("batch_norm eval", lambda x, w, v: F.batch_norm(x, mean, var, w, v), c, w, v)
show("batch_norm plain", lambda x: F.batch_norm(x, None, None, training=True), c)
g = torch.arange(16.0).reshape(2, 4, 2).sin()
show("group_norm", lambda x, w: F.group_norm(x, 2, w, torch.ones(4)), g, torch.arange(4.0) / 20)
show("group_norm plain", lambda x: F.group_norm(x, 1), g)
t = torch.tensor([0.0, 1.0, 0.5, 1.0, 0.0])
show("bce", lambda x: F.binary_cross_entropy_with_logits(x, t, pos_weight=torch.tensor(3.0)), a)
show("bce both", lambda x, t: F.binary_cross_entropy_with_logits(
    x, t, weight=b, reduction="sum", pos_weight=torch.full((5,), 2.0)), a, t)

# Results, dtypes and forms.
half = a.bfloat16()
print(torch.xlogy(torch.tensor([0, 1, 2]), torch.tensor([1, 2, 3])), torch.fmax(a, b.double()))
print(torch.copysign(torch.tensor([1, -2]), -1), torch.hypot(a.double(), b))
print(torch.logaddexp(half, half), torch.copysign(a, b.double()).dtype)
print(torch.cummax(torch.tensor([3, 1, 4, 4]), 0), torch.mode(torch.tensor([2, 1, 2, 1])))
print(torch.cummin(torch.tensor([True, False, True]), 0).values, torch.cummax(torch.tensor(2.0), 0))
print(torch.aminmax(torch.tensor([3, 1, 2])), torch.std_mean(a.double(), unbiased=False))
out = torch.empty(5)
print(torch.xlogy(a, b, out=out) is out, out, torch.fmin(a, b, out=torch.empty(0)))
print(a.clone().xlogy_(b), a.clone().copysign_(-1.0), a.clone().hypot_(b))
print(torch.nansum(x, 1, out=torch.empty(2)), torch.logcumsumexp(y, 1, out=torch.empty(2, 3)))
print(torch.nansum(torch.tensor([1, 2])), torch.nansum(x, dtype=torch.float64))

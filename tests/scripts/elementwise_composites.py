# Functions of elements, and reductions, that are made of others: values, errors, gradients.
import torch
torch.manual_seed(0)
def attempt(what, f):
    try:
        print(what, f())
    except Exception as e:
        print(what, "|", type(e).__name__, "|", str(e))
inf, nan = float("inf"), float("nan")
x = torch.tensor([[1.5, -2.25, 0.0, nan], [inf, -inf, -0.0, 3.0]])
y = torch.tensor([[0.5, 2.0, -1.0, 1.0], [nan, 2.0, 0.0, -4.0]])
p = torch.tensor([[0.1, 0.5, 0.9], [0.3, 0.0, 1.0]])
m = torch.arange(6.0).reshape(2, 3)
for name in "positive deg2rad rad2deg frac sgn signbit isposinf isneginf isreal sinc nansum aminmax msort fliplr flipud rot90".split():
    attempt(name, lambda: getattr(torch, name)(x))
    attempt("." + name, lambda: getattr(x, name)())
for name in "copysign heaviside fmax fmin hypot xlogy logaddexp logaddexp2 float_power is_same_size".split():
    attempt(name, lambda: getattr(torch, name)(x, y))
    attempt("." + name, lambda: getattr(y, name)(x))
attempt("copysign", lambda: torch.copysign(m, -0.0))
attempt("xlogy", lambda: torch.xlogy(2, m))
attempt("xlogy", lambda: torch.xlogy(m, 2.0))
attempt("logit", lambda: torch.logit(p))
attempt("logit", lambda: p.logit(0.2))
attempt("float_power", lambda: torch.float_power(m, 2))
attempt("float_power", lambda: torch.float_power(2, m))
attempt("ldexp", lambda: torch.ldexp(m, torch.tensor(3)))
attempt("rsub", lambda: torch.rsub(m, 3))
attempt("heaviside", lambda: torch.heaviside(m.long(), m))
attempt("positive", lambda: torch.positive(torch.tensor([True])))
attempt("nansum", lambda: x.nansum(1))
attempt("nanmean", lambda: torch.tensor([[1.0, nan], [3.0, 5.0]]).nanmean(0))
attempt("nanmean", lambda: torch.nanmean(torch.tensor([1])))
attempt("aminmax", lambda: torch.aminmax(m, dim=0, keepdim=True))
attempt("aminmax", lambda: m.aminmax().max)
attempt("std_mean", lambda: torch.std_mean(m))
attempt("std_mean", lambda: torch.std_mean(m, 1, keepdim=True))
attempt("var_mean", lambda: torch.var_mean(m, (0, 1), correction=0))
attempt("mode", lambda: torch.mode(torch.tensor([[1, 2, 2, 3, 3], [5, 5, 1, 1, 0]])))
attempt("mode", lambda: torch.tensor([[1, 2, 2], [1, 2, 0]]).mode(0, True))
attempt("quantile", lambda: torch.quantile(m, 0.4))
attempt("quantile", lambda: m.quantile(torch.tensor([0.25, 0.5]), dim=1, keepdim=True))
for how in ("lower", "higher", "midpoint", "nearest", "odd"):
    attempt("quantile " + how, lambda: m.quantile(0.3, 1, interpolation=how))
attempt("quantile", lambda: m.quantile(1.5))
attempt("quantile", lambda: m.long().quantile(0.5))
c = torch.tensor([[1.0, 3.0, 3.0, 2.0], [4.0, nan, 5.0, 1.0]])
attempt("cummax", lambda: torch.cummax(c, 1))
attempt("cummin", lambda: c.cummin(dim=0))
attempt("logcumsumexp", lambda: torch.logcumsumexp(m, 1))


def gradients(what, f, *leaves):
    leaves = [leaf.clone().requires_grad_() for leaf in leaves]
    out = f(*leaves)
    out = out if isinstance(out, torch.Tensor) else out[0]
    (out * torch.arange(1.0, out.numel() + 1).reshape(out.shape)).sum().backward()
    print(what, [leaf.grad.round(decimals=2) for leaf in leaves])


a, b = torch.tensor([[0.0, 0.0, 2.0], [1.0, 3.0, 2.0]]), torch.tensor([[2.0, 0.0, 2.0], [4.0, 1.0, 5.0]])
for name in "xlogy hypot logaddexp fmax".split():
    if name == "hypot":
        gradients(name, torch.hypot, a + 1, b)
    elif name == "xlogy":
        gradients(name, torch.xlogy, a, b + 1)
    else:
        gradients(name, getattr(torch, name), a, b)
gradients("xlogy x", lambda x: torch.xlogy(x, b), a)
for name in "sinc frac nansum aminmax mode msort logcumsumexp std_mean".split():
    gradients(name, getattr(torch, name) if name not in ("mode", "logcumsumexp") else lambda x: getattr(torch, name)(x, 1), a)
gradients("cummax", lambda x: x.cummax(1), a)
gradients("quantile", lambda x: x.quantile(torch.tensor([0.3, 0.6]), 1), a)

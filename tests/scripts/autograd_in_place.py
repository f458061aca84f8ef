# Writes on the tape: results, views, and what may not be written.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except RuntimeError as error:
        print(what, "->", error)


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.mul_(3)
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
y = x * 1
y[0] = 10
y[1:] *= x[1:]
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
base = x.clone()
part = base[:2]
base.mul_(x)
print(part)
part.sum().backward()
print(x.grad)

x.grad = None
base = torch.zeros(2, 3)
row = base[0]
row.add_(x * 2)
print(base, row)
(base * torch.arange(6.0).reshape(2, 3)).sum().backward()
print(x.grad)

attempt("leaf", lambda: x.add_(1))
attempt("view of leaf", lambda: x[0].add_(1))


def overwritten():
    y = x.exp()
    z = y * 2
    y.add_(1)
    return z.sum() + y.sum()


attempt("overwritten", lambda: overwritten().backward())


def overwritten_input():
    a = x * 1
    b = a.sin()
    a.zero_()
    b.sum().backward()


attempt("overwritten input", overwritten_input)
with torch.no_grad():
    x.add_(1)
print(x)


def twice():
    z = (x * x).sum()
    z.backward()
    z.backward()


attempt("twice", twice)
attempt("no grad", lambda: torch.ones(2).sum().backward())
attempt("no scalar", lambda: (x * 2).backward())
attempt("integer", lambda: torch.tensor([1, 2], requires_grad=True))
attempt("integer later", lambda: torch.tensor([1, 2]).requires_grad_())
attempt("out", lambda: torch.mul(x, 2, out=torch.zeros(3)))
attempt("flags", lambda: (x * 2).requires_grad_(False))
attempt("unused", lambda: torch.autograd.grad(x.sum(), torch.ones(2, requires_grad=True)))
z = (x * x).sum()
z.backward(retain_graph=True)
z.backward()
print(x.grad)

# Results of one region that are differentiated each on its own.
import torch

w = torch.ones(3, requires_grad=True)
u = torch.ones(3, requires_grad=True)


def pair(a):
    picked = a[[1, 0]]
    c = w / 3
    return c, torch.maximum(a, c)


# What only the second result kept may be written before the first goes backward.
for i in range(5):
    first, _ = pair(torch.ones(3))
    c, d = pair(first)
    first.add_(1)
    c.sum().backward()
print(w.grad)


def losses(x):
    h = torch.tanh(x * w)
    return (h * h).sum(), (h.exp() * u).sum(), h


# The derivative of one result's gradient leads to what that result was computed from, alone.
for i in range(3):
    w.grad = u.grad = None
    a, b, h = losses(torch.ones(3))
    (gradient,) = torch.autograd.grad(a, w, create_graph=True)
    (gradient ** 2).sum().backward()
    print(w.grad, u.grad)

# A region whose results nobody differentiates is no part of the backward of others.
for i in range(3):
    base, other = pair(torch.ones(3))
    late, _ = pair(other)
    w.grad = None
    base.detach_() if i == 1 else None
    late.sum().backward()
    print(w.grad)


def singular():
    return z.sqrt().sum(), (z + 1).exp().sum(), torch.stack([z.log(), z * 2]).sum()


# Where no gradient arrives nothing is computed: no 0 / 0.
z = torch.zeros(3, requires_grad=True)
for i in range(3):
    z.grad = None
    root, exponential, stacked = singular()
    exponential.backward()
    print(z.grad)
    root.backward()
    print(z.grad)


@torch.compile(backend="eager")
def parts(x):
    return x.sqrt(), (x * 3).cos(), torch.where(x > 0, x.log(), x * 2)


for i in range(3):
    z.grad = None
    parts(z)[1].sum().backward()
    print(z.grad)
    z.grad = None
    first, _, last = parts(z)
    last.sum().backward()
    print(z.grad)


# Behind the backward of one result: what others need is there, what only it needed is not.
def three(x):
    h = x + 1
    return x.sin(), h, h.exp()


for i in range(3):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, h, b = three(x)
    a.sum().backward()
    print(torch.autograd.grad(b.sum(), h, retain_graph=True))
    (gradient,) = torch.autograd.grad(b.sum(), x, create_graph=True)
    print(gradient.requires_grad, torch.autograd.grad(gradient.sum(), x))
    try:
        a.sum().backward()
    except RuntimeError as error:
        print(str(error)[:55])

for i in range(3):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, h, b = three(x)
    a.sum().backward()
    h.register_hook(lambda gradient: print("hook", gradient))
    h.retain_grad()
    b.sum().backward()
    print(h.grad, x.grad)


class Noted:
    def __del__(self):
        print("freed")


def scaled(x, w):
    return x * w, x + 1


for i in range(3):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    scale = torch.ones(2)
    scale.noted = Noted()
    a, b = scaled(x, scale)
    a.sum().backward()
    print("delete")
    del scale
    print("deleted")
    b.sum().backward()
    print(x.grad)


# Random numbers that are drawn once more are those that were drawn.
def noisy(x):
    kept = torch.nn.functional.dropout(x * 2, 0.5)
    return x.cos(), kept.exp(), torch.nn.functional.dropout(x, 0.5)


torch.manual_seed(0)
for i in range(3):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a, b, c = noisy(x)
    a.sum().backward()
    (gradient,) = torch.autograd.grad(b.sum(), x, create_graph=True)
    gradient.sum().backward()
    c.sum().backward()
    print(x.grad, torch.rand(1))


# A derivative of a gradient, of a result whose inputs are not those of one that is spent.
def apart(x, v):
    return (x * x).sum(), (v * v * v).sum()


for i in range(3):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    v = torch.tensor([3.0, 4.0], requires_grad=True)
    a, b = apart(x, v)
    if a > 0:
        pass
    a.backward()
    (gradient,) = torch.autograd.grad(b, v, create_graph=True)
    gradient.sum().backward()
    print(x.grad, v.grad)
for dim in (2, -3, 5, -1):
    try:
        print(torch.quantile(torch.tensor([[3.0, 1.0, 2.0], [9.0, 4.0, 7.0]]), 0.4, dim=dim))
    except IndexError as error:
        print(error)

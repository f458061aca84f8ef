# Gradients through functions that break: tensors that live across a break, some computed from
# others, and what looks at them.
import torch

x = torch.tensor([1.0, 2.0])
w = torch.tensor([0.5, 1.5], requires_grad=True)


def residual(x):
    h = x * w
    z = torch.tanh(h)
    print("break", end=" ")
    return ((h + z) * w * x).sum()


def unread_input(x):
    h = x * w
    z = h.exp()
    print("break", end=" ")
    return (h * h).sum() + z.sum()


def twice(x):
    a = w.exp()
    b = a * a
    print("break", end=" ")
    c = b * w
    d = b * b
    print("break", end=" ")
    return (c + d * a).sum()


def inside(x):
    a = w * w
    b = a * 3
    print("break", end=" ")
    return torch.autograd.grad(a.sum(), w)[0] + b.detach(), b


for body in (residual, unread_input, twice):
    f = torch.compile(body, backend="eager")
    for run in (body, f, f, f):
        w.grad = None
        run(x).backward()
        print(w.grad)
        print(torch.autograd.grad(run(x), w))
f = torch.compile(inside, backend="eager")
for run in (inside, f, f):
    first, second = run(x)
    print(first, second.detach())


def pair(x):
    h = w + x
    loss = (h * h).sum()
    print(end="")
    return h, loss


f = torch.compile(pair, backend="eager")
for run in (pair, f, f):
    at = torch.ones(2)
    w.grad = None
    h, loss = run(at)
    h.retain_grad()
    at.add_(1)
    loss.backward()
    print(h.grad, w.grad)
    w.grad = None
    h, loss = run(at)
    h.register_hook(lambda g: g * 2)
    with torch.no_grad():
        w.sub_(0.5)
    loss.backward()
    print(w.grad)
    with torch.no_grad():
        w.add_(0.5)

# A result's gradient is its own, and a gradient that is asked for comes before the hooks where it
# is on the way to others.
a = w * 2
b = a + 1
a.retain_grad()
b.retain_grad()
b.sum().backward()
print(a.grad is b.grad, a.grad.stride(), b.grad.is_contiguous())
a.grad.mul_(5)
print(a.grad, b.grad)
g = torch.ones(2)
a = w * 2
a.retain_grad()
a.backward(g)
g.mul_(9)
print(a.grad)
h = w + 1
loss = (h * h).sum()
h.register_hook(lambda g: g * 3)
print(torch.autograd.grad(loss, [w, h], retain_graph=True))
print(torch.autograd.grad(loss, [h]))


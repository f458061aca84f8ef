"""Gradients between the results of a region: hooks, retained and wanted gradients, unused results."""
import torch
from torch import nn

w = torch.tensor([1.0, 2.0], requires_grad=True)


def hidden(x):
    y = torch.exp(w * x)
    return y, (y * y).sum()


def hooked():
    w.grad = None
    y, loss = hidden(torch.ones(2))
    y.register_hook(lambda g: g * 10)
    loss.backward()
    return w.grad


def retained():
    w.grad = None
    y, loss = hidden(torch.ones(2))
    y.retain_grad()
    (loss + y.sum()).backward()
    return w.grad, y.grad


def wanted():
    y, loss = hidden(torch.ones(2))
    inner = torch.autograd.grad(loss, y, retain_graph=True)[0]
    return inner, torch.autograd.grad(loss, w)[0]


def twice():
    w.grad = None
    y, loss = hidden(torch.ones(2))
    y.retain_grad()
    loss.backward(retain_graph=True)
    first = y.grad.clone()
    y.register_hook(lambda g: g / 2)
    loss.backward()
    return first, y.grad, w.grad


for function in (hooked, retained, wanted, twice):
    for _ in range(3):
        print(function())


@torch.compile(backend="eager")
def gradcam():
    a = torch.exp(w * 2)
    s = (a * a).sum()
    print("score")
    return torch.autograd.grad(s, a)[0]


for _ in range(3):
    print(gradcam())


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.a = nn.Linear(4, 1)
        self.b = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.a(h), self.b(h)


torch.manual_seed(0)
net = Two()
opt = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
for i in range(6):
    opt.zero_grad()
    a, b = net(torch.ones(2, 4))
    (a ** 2 if i % 2 else b ** 2).mean().backward()
    print(net.a.bias.grad, net.b.bias.grad)
    opt.step()
print(net.a.weight)


@torch.compile(backend="eager")
def one_of_two(u, v):
    p, q = u * 2, v * 3
    print("between")
    p.sum().backward()
    return q


for _ in range(2):
    u, v = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    one_of_two(u, v)
    print(u.grad, v.grad)


def noisy(x):
    y = torch.dropout(x * w, 0.5, True)
    return y, (y * torch.rand(2)).sum()


torch.manual_seed(1)
for _ in range(3):
    w.grad = None
    y, loss = noisy(torch.ones(2))
    y.register_hook(lambda g: g + 1)
    loss.backward()
    print(y, w.grad)

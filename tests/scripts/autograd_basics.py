# Gradients, eagerly: the tape, accumulation, leaves and results.
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * x
print(y, y.requires_grad, y.is_leaf, x.is_leaf)
z = y.sum()
print(z, z.grad_fn.name())
z.backward()
print(x.grad)
(x * 3).sum().backward()
print(x.grad)
x.grad = None
(x.exp() + x.sin() * 2).sum().backward()
print(x.grad)

w = torch.randn(3, 4, generator=None) if False else torch.arange(12.0).reshape(3, 4)
w.requires_grad_()
out = torch.relu(w - 5) @ torch.ones(4, 2)
print(out)
out.sum().backward()
print(w.grad)

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a * b + a.log()
da, db = torch.autograd.grad(c, (a, b))
print(da, db, a.grad)

f = a ** 3
g, = torch.autograd.grad(f, a, create_graph=True)
h, = torch.autograd.grad(g, a, create_graph=True)
i, = torch.autograd.grad(h, a)
print(f, g, h, i)

with torch.no_grad():
    n = a * 2
print(n.requires_grad, n.grad_fn)
d = (a * 2).detach()
print(d, d.requires_grad)

m = torch.ones(2, 3, requires_grad=True)
k = m.t()[1:].reshape(-1) * torch.arange(4.0)
k.sum().backward()
print(m.grad)

v = torch.ones(3, requires_grad=True)
u = v * 2
u.retain_grad()
(u * u).sum().backward()
print(u.grad, v.grad)

print(c.grad_fn.next_functions[0][0].name(), [n[1] for n in c.grad_fn.next_functions])

# Derivatives of derivatives, and every option of backward and grad.
import warnings

import torch

warnings.simplefilter("ignore")

x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def derivatives(f, a, count):
    y = f(a).sum()
    for _ in range(count):
        y = torch.autograd.grad(y, a, create_graph=True)[0]
        print("  ", y.detach())
        y = y.sum()


for name, f in (("cube", lambda a: a ** 3), ("sin", torch.sin), ("exp", lambda a: (a * a).exp()),
                ("tanh", torch.tanh), ("sigmoid", torch.sigmoid), ("softmax", lambda a: a.softmax(0) ** 2),
                ("gelu", torch.nn.functional.gelu), ("norm", lambda a: a.norm()),
                ("product", lambda a: a * a * a * w), ("matmul", lambda a: ((a @ a.outer(a)) ** 2).sum()),
                ("div", lambda a: 1 / a), ("log", lambda a: (a * a).log()),
                ("var", lambda a: a.var() ** 2), ("cumsum", lambda a: a.cumsum(0) ** 3)):
    print(name)
    derivatives(f, x, 3)

y = (x * x * w).sum()
print(torch.autograd.grad(y, (x, w), retain_graph=True))
print(torch.autograd.grad([y, y * 2], [x], retain_graph=True))
print(torch.autograd.grad([x * w, x * 2], [x, w], [torch.ones(3), torch.arange(3.0)]))
u = torch.ones(2, requires_grad=True)
print(torch.autograd.grad(y, (x, u), allow_unused=True, retain_graph=True))
print(torch.autograd.grad(y, (x, u), materialize_grads=True, retain_graph=True))
z = x * 2
q = (z * z).sum()
print(torch.autograd.grad(q, z, retain_graph=True), torch.autograd.grad(q, (z, x)))
print(x.grad, w.grad)

y.backward(retain_graph=True)
y.backward()
print(x.grad, w.grad)
x.grad.zero_()
(x * x).sum().backward(gradient=torch.tensor(2.0))
print(x.grad)
(x * x).backward(torch.tensor([1.0, 0.0, -1.0]))
print(x.grad)
x.grad = w.grad = None
(x * w).sum().backward(inputs=[x])
print(x.grad, w.grad)
x.grad = None
torch.autograd.backward([(x * 2).sum(), (x * w).sum()])
print(x.grad, w.grad)
torch.autograd.backward((x * w,), (torch.ones(3),))
print(x.grad, w.grad)
x.grad = None
(x ** 3).sum().backward(create_graph=True)
print(x.grad.detach(), x.grad.requires_grad)
first = x.grad
x.grad = None
first.sum().backward()
print(x.grad)

a = torch.tensor(1.5, requires_grad=True)
penalty = torch.autograd.grad((a ** 4).sum(), a, create_graph=True)[0] ** 2
penalty.backward()
print(penalty, a.grad)


def f(a, b):
    return (a * b).sum() + (a ** 2).sum()


print(torch.autograd.functional.jacobian(lambda a: a ** 2, x.detach()))
print(torch.autograd.functional.hessian(lambda a: (a ** 3).sum(), x.detach()))
print(torch.autograd.functional.vjp(lambda a: a ** 2, x.detach(), torch.ones(3)))
double = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(lambda a: a.exp() * a, (double,)))
print(torch.autograd.gradcheck(torch.tanh, double), torch.autograd.gradgradcheck(torch.sin, double))

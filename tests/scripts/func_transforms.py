# torch.func: derivatives as functions, and modules as functions of their parameters.
import warnings

import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp

warnings.filterwarnings("ignore")  # of what PyTorch itself imports
x = torch.tensor([1.0, 2.0, 3.0])
print(grad(lambda x: (x ** 3).sum())(x), grad(torch.sin)(torch.tensor(1.0)))
print(grad(grad(torch.sin))(torch.tensor(1.0)), grad(grad(grad(torch.sin)))(torch.tensor(1.0)))


def loss(w, b, x):
    return ((x * w + b) ** 2).sum()


w, b = torch.tensor(2.0), torch.tensor(0.5)
print(grad(loss)(w, b, x), grad(loss, argnums=1)(w, b, x), grad(loss, argnums=(0, 1))(w, b, x))
print(grad(loss, argnums=-1)(w, b, x), grad_and_value(loss)(w, b, x))
print(grad(lambda p: (p["a"] * p["b"][0]).sum())({"a": x, "b": (w, b)}))
print(grad(lambda x: (x.sum(), x * 2), has_aux=True)(x), grad_and_value(lambda x: (x.sum(), {"k": x}), has_aux=True)(x))
print(grad(lambda x: torch.tensor(1.0))(x), grad(lambda x, y: x.sum(), argnums=1)(x, w))
print(grad(loss)(w, b, x=x))

# Through one another, and of what requires gradients already.
y = torch.tensor(1.5, requires_grad=True)
g = grad(lambda t: t ** 3)(y)
print(g.requires_grad, torch.autograd.grad(g, y))
print(grad(lambda t: grad(lambda s: s ** 2 * t)(t))(torch.tensor(3.0)))
v = torch.tensor(2.0, requires_grad=True)
g = grad(lambda t: (v * t ** 2).sum())(torch.tensor(1.5))
print(g, torch.autograd.grad(g, v))
linear = nn.Linear(2, 1)
print(grad(lambda t: linear(t).sum())(torch.ones(2)).requires_grad, grad(lambda t: t.sum() + v.detach())(x).requires_grad)
print(jacrev(lambda t: t * v)(x).requires_grad, vjp(lambda t: t * v, x)[0].requires_grad, hessian(lambda t: (t ** 2).sum())(x))
with torch.no_grad():
    print(grad(lambda t: t ** 2)(torch.tensor(3.0)))

# Products with Jacobians, and Jacobians.
out, pull = vjp(lambda x: x ** 2, x)
print(out, pull(torch.ones(3)), pull(torch.tensor([1.0, 0.0, 2.0])))
out, pull = vjp(lambda x, w: (x * w, x.sum()), x, w)
print(out, pull((torch.ones(3), torch.tensor(1.0))))
print(vjp(lambda x: (x * 2, x + 1), x, has_aux=True)[2])
print(jvp(lambda x: x ** 2, (x,), (torch.ones(3),)))
print(jvp(lambda x, y: x * y, (x, w), (torch.ones(3), torch.tensor(0.5))))
print(jacrev(lambda x: x ** 2)(x))
print(jacfwd(lambda x: x[:2] * x.sum())(x))
print(jacrev(lambda x, w: x * w, argnums=(0, 1))(x, w))
print(jacrev(lambda x: {"a": x * 2, "b": x.sum()})(x))
print(hessian(lambda x: (x ** 3).sum())(x))

# Modules.
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
parameters = {name: p.detach() for name, p in model.named_parameters()}
zeros = {name: torch.zeros_like(p) for name, p in parameters.items()}
print(functional_call(model, parameters, (x,)), functional_call(model, zeros, x), model(x))
print(functional_call(model, ({"2.bias": torch.ones(1)}, {}), (x,)).grad_fn is not None)


def model_loss(parameters, x, target):
    return ((functional_call(model, parameters, (x,)) - target) ** 2).mean()


gradients, value = grad_and_value(model_loss)(parameters, torch.ones(2, 3), torch.zeros(2, 1))
print(value, {name: each.shape for name, each in gradients.items()})
parameters = {name: p - 0.1 * gradients[name] for name, p in parameters.items()}
print(model_loss(parameters, torch.ones(2, 3), torch.zeros(2, 1)) < value, gradients["2.bias"])
norm = nn.BatchNorm1d(2)
buffers = {name: each.clone() for name, each in norm.named_buffers()}
functional_call(norm, (dict(norm.named_parameters()), buffers), (torch.arange(8.0).reshape(4, 2),))
print(norm.running_mean, buffers["running_mean"])
tied = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
tied[1].weight = tied[0].weight
print(functional_call(tied, {"0.weight": torch.eye(2) * 2}, (torch.ones(2),)))


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.zeros(1))

    def forward(self, x):
        self.n = self.n + 1
        return x + self.n


counting, own = Counting(), {"n": torch.ones(1) * 5}
print(functional_call(counting, own, (torch.zeros(1),)), own, counting.n)

# What else is watched keeps its gradients, and a caller that records none gets none.
scale = nn.Parameter(torch.tensor([2.0, 1.0, 0.5]))
net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
inner = grad(lambda t: (net(t * scale) ** 2).sum())(torch.ones(3))
inner.pow(2).sum().backward()
print(scale.grad is not None, net[0].weight.grad is not None, grad(lambda t: (t * scale).sum())(torch.ones(3)).requires_grad)
with torch.no_grad():
    print(grad(lambda t: (t ** 2).sum())(torch.ones(2, requires_grad=True)), vjp(torch.sin, torch.ones(1, requires_grad=True))[0].requires_grad)
with torch.inference_mode():
    print(grad(lambda t: (t * t).sum())(torch.tensor([1.0, 2.0, 3.0])))

# Compiled.
@torch.compile
def step(w, b, x):
    dw, db = grad(loss, argnums=(0, 1))(w, b, x)
    return w - 0.01 * dw, b - 0.01 * db


print(step(w, b, x), torch.compile(grad(loss))(w, b, x))

# What cannot be.
for wrong in (lambda: functional_call(model, ({"2.bias": x}, {"2.bias": x}), (x,)),):
    try:
        print(wrong())
    except ValueError as error:
        print(error)
for wrong in (lambda: grad(lambda x: x * 2)(x), lambda: grad(lambda x: 3)(x), lambda: grad(loss, argnums=5)(w, b, x),
              lambda: grad(loss, argnums=(0, 0))(w, b, x), lambda: grad(loss, argnums=())(w, b, x),
              lambda: functional_call(model, {"nothing": x}, (x,), strict=True)):
    try:
        print(wrong())
    except RuntimeError as error:
        print(error)


# A value that is used twice at each of many steps: as many ways as there are go through them.
def often(x):
    for _ in range(40):
        x = x * x * 0.25 + x * 0.5
    return x.sum()


print(torch.func.grad(lambda x: torch.func.grad(often)(x).sum())(torch.tensor([1.5, 1.75])), torch.func.hessian(often)(torch.tensor([1.5, 1.75])))

# tolerance: 1e-5
# Activations and dropout that write over their input: as functions, as modules, on the tape.
import torch
import torch.nn.functional as F
from torch import nn


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


functions = (("relu6", ()), ("leaky_relu", (0.1,)), ("elu", (1.5,)), ("selu", ()), ("celu", (0.7,)),
             ("hardtanh", (-2.0, 2.0)), ("silu", ()), ("mish", ()), ("hardswish", ()),
             ("hardsigmoid", ()), ("threshold", (0.5, -1.0)), ("relu", ()))
values = [-4.0, -3.0, -1.0, 0.0, 0.5, 3.0, 7.0, float("nan")] * 4  # as many as two vectors of PyTorch's have
w = torch.tensor(values, requires_grad=True)
for name, args in functions:
    f = getattr(F, name)
    y = f(w, *args)
    print(name, y.detach(), y.grad_fn.name(), torch.autograd.grad(y.sum(), w)[0])
    z = w * 1
    print(f(z, *args, inplace=True) is z, z.detach(), z.grad_fn.name())
    w.grad = None
    z[:7].sum().backward()
    print(w.grad)
    attempt("leaf", lambda: f(w, *args, inplace=True))
    plain = torch.tensor(values)
    print(f(plain, *args, True) is plain, plain, plain._version)


@torch.compile(backend="eager")
def several(x):
    a, b, c, d = x * 1, x * 2, x * 3, x * 4
    F.selu(a, inplace=True)
    F.threshold(b, 0.25, 0.5, True)
    F.hardswish(c, inplace=True)
    return a + b + c + F.mish(d, True)


for _ in range(2):
    w.grad = None
    y = several(w[:7])
    y.sum().backward()
    print(y.detach(), w.grad)

modules = (nn.ReLU6, nn.SELU, nn.SiLU, nn.Mish, nn.Hardswish, nn.Hardsigmoid, nn.ReLU)
made = [module(inplace=True) for module in modules]
made += [nn.LeakyReLU(0.1, True), nn.ELU(1.5, True), nn.CELU(0.7, True), nn.Hardtanh(-2.0, 2.0, True),
         nn.Threshold(0.5, -1.0, True), nn.Dropout(0.5, True), nn.Hardtanh(), nn.Threshold(1, 2)]
torch.manual_seed(0)
for module in made:
    x = torch.tensor([1.0, -1.0, 4.0])
    y = module(x)
    print(module, y is x, x, y)

torch.manual_seed(1)
for p, training in ((0.5, True), (0.5, False), (0.0, True), (1.0, True)):
    x = torch.ones(6)
    print(F.dropout(x, p, training, True) is x, x)
    x = torch.ones(6)
    print(F.dropout(x, p, training, inplace=False) is x, x)
z = w[:6] * 1
print(F.dropout(z, 0.5, inplace=True) is z, z, z.grad_fn.name())
w.grad = None
z.sum().backward()
print(w.grad)
print(torch.selu_(torch.tensor([1.0, -1.0])), torch.celu_(torch.tensor([1.0, -1.0]), 0.5))
print(torch.threshold_(torch.tensor([1.0, -1.0]), 0.5, 3.0), F.elu_(torch.tensor([1.0, -1.0])))
attempt("celu", lambda: F.celu(torch.ones(2), 0.0))
attempt("threshold of ints", lambda: F.threshold(torch.arange(4), 1, 9))

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
print(x.__rsub__(2), x.__rtruediv__(2), x.__rpow__(2), torch.rsub(x, 2))
attempt("__rmod__", lambda: x.detach().__rmod__(3))
attempt("__rfloordiv__", lambda: x.detach().__rfloordiv__(9))

# tolerance: 1e-3
# Gradients through complex tensors: PyTorch's convention, by the derivatives of the parts.
import torch

torch.manual_seed(0)


def pairs(*shape):
    return torch.randn(*shape, 2)


def gradients_of(f, *inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    out = f(*leaves)
    loss = (out.abs() ** 2 + out.real * 0.3 + 0.7 * out.imag).sum() if out.is_complex() else (out * out + 0.3 * out).sum()
    loss.backward()
    return [leaf.grad for leaf in leaves]


z, w = torch.view_as_complex(pairs(2, 3)), torch.view_as_complex(pairs(2, 3))
x = torch.randn(2, 3)
cases = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "matmul": lambda a, b: a @ b.T, "einsum": lambda a, b: torch.einsum("ij,kj->ik", a, b), "cat": lambda a, b: torch.cat([a, b]) * 2j,
    "where": lambda a, b: torch.where(x > 0, a, b), "pow": lambda a, b: a ** b, "stack": lambda a, b: torch.stack([a, b], -1).prod(-1),
}
for name, f in cases.items():
    print(name, *gradients_of(f, z, w))
    if name in ("add", "sub", "mul", "div"):
        print(*gradients_of(f, z, x), *gradients_of(f, x, z))
for name in "exp log sqrt sin cos tanh sgn abs angle conj real imag square reciprocal sinh cosh tan".split():
    print(name, *gradients_of(getattr(torch, name), z))
for name, f in {"sum": lambda a: a.sum(0), "mean": lambda a: a.mean(), "index": lambda a: a[0, 1:], "view": lambda a: a.view(3, 2).T * 1j,
                "scalar": lambda a: a * (2 - 1j) + 1j, "pow2": lambda a: a ** 2, "pow3": lambda a: a ** 3, "real": lambda a: a.real * a.imag,
                "as_real": lambda a: torch.view_as_real(a).flatten(1), "norm": lambda a: torch.linalg.norm(a), "cumsum": lambda a: a.cumsum(1)}.items():
    print(name, *gradients_of(f, z))
print(*gradients_of(lambda a, b: torch.polar(a.abs(), b), x, x), *gradients_of(lambda a, b: torch.complex(a, b) ** 2, x, x))
print(*gradients_of(lambda a: torch.view_as_complex(a) * 1j, pairs(2, 2)), *gradients_of(lambda a: (a * 1j).exp(), x))

# Of zeros
print(*gradients_of(torch.abs, torch.zeros(2, dtype=torch.cfloat)), *gradients_of(torch.sgn, torch.ones(2, dtype=torch.cfloat)))

# Leaves, given gradients, hooks, torch.autograd.grad
p = torch.nn.Parameter(torch.ones(2, dtype=torch.cfloat) * (1 + 1j))
print(isinstance(p, torch.nn.Parameter), isinstance(p, torch.Tensor), type(p), p.requires_grad, p.is_leaf, p.grad)
print(p)
q = p * p
q.retain_grad()
q.register_hook(lambda g: print("hook", g))
q.abs().sum().backward()
print(p.grad, p.grad.dtype, q.grad, q.is_leaf)
p.grad = None
(p * 2j).backward(torch.tensor([1 + 1j, 2]))
print(p.grad)
print(torch.autograd.grad((p * p.conj()).real.sum(), p), torch.autograd.grad(p * 3, [p], grad_outputs=torch.ones(2, dtype=torch.cfloat)))
with torch.no_grad():
    p -= 0.5 * p.grad
    p.copy_(p * 2)
print(p.detach(), p.data, p.requires_grad)
leaf = torch.tensor([1 + 1j], requires_grad=True)
print(leaf, (leaf * 2).requires_grad, leaf.detach().requires_grad)
real = torch.randn(3, requires_grad=True)
(real * torch.tensor([1j, 2, 1 - 1j])).abs().sum().backward()
print(real.grad)

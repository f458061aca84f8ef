# tolerance: 1e-4
# Complex tensors through torch.func, linear maps and initialisation.
import torch
z = torch.polar(torch.ones(3), torch.arange(3.))
print(torch.func.grad(lambda a: (a * a.conj()).real.sum())(z))
print(z.requires_grad)
print(torch.vmap(lambda a: a * 2)(z))
print(z.requires_grad, z)
print(torch.kron(z, z), torch.nn.functional.linear(z, torch.ones(2, 3, dtype=torch.cfloat), torch.ones(2, dtype=torch.cfloat)))
torch.manual_seed(0)
print(torch.nn.init.normal_(torch.empty(2, dtype=torch.cfloat)), z.is_contiguous(memory_format=torch.contiguous_format))
m = torch.nn.Linear(3, 2, dtype=torch.cfloat)
print(m.weight.shape, m.weight.dtype, m(z).shape)

print(torch.angle(torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64)).tolist(), torch.angle(torch.tensor([-1, 2])), torch.angle(torch.tensor([-1.0, float("nan")])))

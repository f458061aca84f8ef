# tolerance: 1e-3
# Complex tensors: what they are, how they print, operators, functions, shapes, items.
import torch

torch.manual_seed(0)
z = torch.view_as_complex(torch.randn(2, 3, 2))
w = torch.complex(torch.randn(2, 3), torch.randn(2, 3))
x = torch.randn(2, 3)

print(z)
print(z.shape, z.dtype, z.dim(), z.ndim, z.numel(), z.stride(), z.size(1), z.device, z.element_size(), len(z))
print(z.is_complex(), torch.is_complex(z), torch.is_complex(x), z.is_floating_point(), torch.is_tensor(z))
print(isinstance(z, torch.Tensor), type(z), z.dtype == torch.complex64, z.dtype is torch.cfloat, torch.complex128)
print(z.dtype.is_complex, torch.float32.is_complex, torch.complex64.itemsize, isinstance(z.dtype, torch.dtype))
print(z.real, z.imag, torch.real(z), torch.imag(z), torch.real(x) is x)

# Operators
for result in (z + w, z - w, z * w, z / w, z + x, x + z, x - z, z * x, x * z, z / x, x / z, 2 * z, z * 2, 1 - z, z / 2, 1 / z,
               z + 1j, 1j * z, z - 2j, z / 1j, 1j / z, x * 1j, 1j * x, x + 1j, x - 1j, -z, +z, z ** 2, z ** 3, z ** 0.5, z ** -1, z ** w,
               z ** 1.5, 2 ** z, z == z, z == w, z != w, z == 1j, torch.add(z, w, alpha=2), torch.sub(z, x), torch.mul(x, z), z.add(1),
               z.div(w), torch.neg(z), z.square(), z.reciprocal(), torch.rsub(z, 1), x ** 2 * 1j):
    print(result)
# Functions
for name in ("abs angle conj exp log sqrt sin cos tan sinh cosh tanh sgn log2 log10 log1p expm1 rsqrt sigmoid isfinite isnan isinf isreal "
             "conj_physical reciprocal square").split():
    print(name, getattr(torch, name)(z))
print(abs(z), z.abs(), z.angle(), z.conj(), z.resolve_conj(), x.conj() is x, x.is_conj(), torch.angle(torch.tensor([-1.0, 2.0])))
print(torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])), torch.sqrt(torch.tensor([-4 + 0j, 0j])))

# Shapes
a = torch.arange(24.).reshape(2, 3, 4) * (1 + 0.5j)
for result in (a.view(6, 4), a.reshape(-1), a.reshape(4, -1), a.transpose(0, 2), a.permute(2, 0, 1), a.mT, a.unsqueeze(0), a.unsqueeze(-1),
               a[:1].squeeze(), a[:1].squeeze(0), a[:1].expand(2, 3, 4), a.flatten(), a.flatten(1), a.unflatten(2, (2, 2)), a.movedim(0, -1),
               a.repeat(1, 1, 2), a.roll(1, 0), a.flip(0, 1), a.narrow(2, 1, 2), a.select(1, 2), a.diagonal(), a.swapaxes(0, 1),
               a.index_select(2, torch.tensor([0, 3])), a.contiguous(), a.view(2, 12), a[0].T.T, a[0].t(), a[0].H.resolve_conj().contiguous(), a[0].mH.clone().contiguous(), a.view_as(a), a[0].tril(),
               a[0].triu(1), a.tile(2), a.roll(2), a.ravel(), a[0].adjoint().clone().contiguous()):
    print(tuple(result.shape), result.sum(), result.is_contiguous())
for parts in (a.chunk(2, -1), a.split(1, 1), a.unbind(0), a.split([1, 2], 1)):
    print([part.sum().item() for part in parts])
print(torch.cat([z, w]), torch.stack([z, x]), torch.cat([x, z], dim=1), torch.hstack([z, w]).shape, torch.vstack([z, w]).shape)
print(torch.nn.functional.pad(z, (1, 0)), torch.where(x > 0, z, w), torch.where(x > 0, z, 0))

# Items
print(a[0, 1], a[..., 0], a[:, None].shape, a[1, 2, 3], a[0, 1, 2].item(), a[[0, 1], [1, 2]], a[a.real > 20], a[:, [0, 2]].shape)
print(a[torch.tensor([1, 0])].shape, a[0, :, ::2], a[-1, -1, -1], [row.shape for row in a], a.tolist()[0][1])
b = torch.zeros(3, 3, dtype=torch.cfloat)
b[0] = 1j
b[1, :2] = z[0, :2]
b[2, 2] = 2
b[:, 0] = torch.tensor([1.0, 2.0, 3.0])
b[b.real > 1.5] = -1 + 1j
print(b)
b.real[0, 0] = 9
b.imag = torch.ones(3, 3)
torch.view_as_real(b)[1, 1, 0] = 7
print(b)
b += 1
b *= 1j
b -= z[0]
b /= 2
b.add_(1j).mul_(2)
print(b, b.fill_(1j), b.zero_(), b.copy_(torch.eye(3)))

# Reductions
for result in (z.sum(), z.sum(0), z.sum(dim=1, keepdim=True), z.mean(), z.mean(-1), z.prod(), z.cumsum(1), torch.norm(z), torch.linalg.norm(z),
               torch.linalg.vector_norm(z, dim=1), z.var(), z.std(), z.abs().max(), z.abs().argmax(), torch.sum(z, (0, 1)), z.any(), z.all(),
               torch.count_nonzero(z)):
    print(result)
print(torch.allclose(z, z.clone()), torch.equal(z, z.clone()), torch.isclose(z, w), torch.allclose(z, w))

# Products
m, n = torch.randn(3, 4, dtype=torch.cfloat), torch.randn(4, 2, dtype=torch.cfloat)
v = torch.randn(4, dtype=torch.cfloat)
for result in (m @ n, torch.matmul(m, v), m.mm(n), torch.mv(m, v), v @ v, torch.dot(v, v), torch.vdot(v, v), torch.outer(v, v), m @ n.real.to(torch.cfloat),
               torch.bmm(m.expand(2, 3, 4), n.expand(2, 4, 2)), torch.einsum("ij,jk->ik", m, n), torch.einsum("bi,io->bo", m, n),
               torch.einsum("i,i->", v, v), torch.einsum("ij->ji", m), torch.einsum("bixy,ioxy->boxy", torch.randn(2, 3, 2, 2, dtype=torch.cfloat), torch.randn(3, 4, 2, 2, dtype=torch.cfloat))):
    print(result)

# Making, converting
torch.manual_seed(1)
for result in (torch.zeros(2, dtype=torch.cfloat), torch.ones((2, 2), dtype=torch.complex64), torch.full((2,), 1j), torch.full((2,), 2 + 1j, dtype=torch.cdouble),
               torch.rand(2, 3, dtype=torch.cfloat), torch.randn(2, 3, dtype=torch.cdouble), torch.zeros_like(z), torch.ones_like(z), torch.randn_like(z),
               torch.rand_like(z), torch.tensor([1j, 2, 3.5]), torch.tensor(1 + 2j), torch.tensor([[1 + 1j], [2]], dtype=torch.cdouble), torch.eye(2, dtype=torch.cfloat),
               torch.empty(0, dtype=torch.cfloat), torch.empty(2, 0, dtype=torch.cfloat), x.to(torch.complex64), x.to(torch.cdouble), z.to(torch.cdouble), z.to(torch.complex64),
               z.cdouble(), z.type(torch.complex128), torch.zeros_like(x, dtype=torch.cfloat), z.new_zeros(2), torch.linspace(0, 1, 3, dtype=torch.cfloat), z.clone(), z.detach(),
               torch.full_like(z, 1j), torch.as_tensor([1j]), torch.view_as_real(z), z.cpu(), x.view(3, 2).view(torch.complex64), z.view(torch.float32)):
    print(result, result.dtype)
print(torch.promote_types(torch.float64, torch.complex64), torch.promote_types(torch.int64, torch.complex64), torch.result_type(x, 1j), torch.result_type(z, 2.0),
      torch.result_type(z, torch.ones(2, dtype=torch.float64)))
print((x.double() * 1j).dtype, (torch.arange(3) * 1j), (z * x.double()).dtype, (z + torch.tensor(1.0, dtype=torch.float64)).dtype, (z * torch.arange(3)).dtype,
      (z.cdouble() * z).dtype)
print(torch.tensor([1e-5 + 1j, 1e5]), torch.tensor([1 + 2j, 3 + 4j]), torch.tensor([float("nan") + 1j, complex(1, float("inf"))]), torch.randn(40, dtype=torch.cfloat).shape)
print(torch.arange(30) * (1 + 1j), torch.zeros(40, 40, dtype=torch.cfloat), f"{z[0, 0]:.3f}", "%s" % z[0, 0], bool(z[0, 0]), complex(z[0, 0]))

# tolerance: 1e-4
# Matrix products in all ranks.
import torch

a = torch.arange(6.0).reshape(2, 3)
b = torch.arange(12.0).reshape(3, 4)
v = torch.tensor([1.0, 2.0, 3.0])
print(a @ b, a @ v, v @ b, v @ v, torch.mm(a, b), torch.matmul(a, b), torch.dot(v, v), torch.mv(a, v), torch.outer(v, v))
batch = torch.arange(24.0).reshape(2, 3, 4)
print(torch.bmm(batch, batch.transpose(1, 2)), (batch @ torch.ones(4)).shape, (torch.ones(5, 1, 2, 3) @ torch.ones(4, 3, 2)).shape, (v @ batch).shape, a.t() @ a, (a @ b).t())
print(torch.tensor([[1, 2], [3, 4]]) @ torch.tensor([[5, 6], [7, 8]]), (a.double() @ b.double()).dtype, torch.zeros(0, 3) @ torch.zeros(3, 2), torch.zeros(2, 0) @ torch.zeros(0, 2))
w, bias = torch.ones(5, 3), torch.arange(5.0)
print(torch.nn.functional.linear(a, w, bias), torch.addmm(bias[:4], a, b), torch.einsum("ij,jk->ik", a, b) if hasattr(torch, "einsum") else "")
torch.manual_seed(0)
p, q = torch.randn(65, 33), torch.randn(33, 70)
r = p @ q
slow = (p.unsqueeze(2) * q.unsqueeze(0)).sum(1)
print(torch.allclose(r, slow, atol=1e-5), r.shape, torch.allclose(p[::2] @ q[:, ::3], r[::2, ::3], atol=1e-5), torch.allclose((q.t() @ p.t()).t(), r, atol=1e-5))
for bad in (lambda: a @ a, lambda: v @ torch.ones(2), lambda: torch.tensor(1.0) @ v, lambda: a @ b.double(), lambda: torch.bmm(a, a)):
    try:
        bad()
    except RuntimeError as error:
        print(error)
for bad in (lambda: torch.mm(v, a), lambda: torch.mm(a, v), lambda: a.mm(batch), lambda: torch.mm(a, a)):
    try:
        bad()
    except RuntimeError as error:
        print(error)

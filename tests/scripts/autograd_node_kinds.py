# tolerance: 1e-5
# Functions of torch as nodes of the tape, with what leads there.
import torch
from torch.nn import functional as F

torch.manual_seed(0)


def leaf(*sizes):
    return torch.rand(*sizes).add(0.3).requires_grad_()


def kinds(node, depth=1):
    name = type(node).__name__
    if depth == 0:
        return name
    behind = ["-" if n is None else kinds(n, depth - 1) for n, _ in node.next_functions]
    return f"{name}({', '.join(behind)})"


x, y, v, m, s = leaf(3), leaf(3), leaf(3), leaf(3, 3), leaf(2, 3, 3)
index, mask = torch.tensor([0, 1]), torch.tensor([True, False, True])
functions = """
torch.ldexp(x, torch.tensor([1, 2, 3])) | torch.ldexp(x, y) | x.ldexp(torch.tensor(2)) | (x * 1).ldexp_(y)
2 - x | 2 + x | 2 * x | x * 2 | x + 2 | x - 2
x @ m | m @ x | s @ x | s @ m | x @ x | torch.outer(x, y) | torch.inner(x, y) | torch.inner(m, m)
torch.matrix_power(m, 2) | torch.matrix_power(m, 3) | torch.cov(m) | torch.cov(x) | torch.corrcoef(m) | torch.corrcoef(x)
torch.quantile(m, 0.5) | torch.quantile(m, 0.3, dim=1) | torch.quantile(m, 0.3, dim=0, keepdim=True)
torch.unique(x) | torch.unique(m, dim=0) | torch.unique(x, return_inverse=True)[0] | torch.unique_consecutive(x)
x[index] | x[mask] | m[index] | m[:, index] | m[index, index] | m[mask] | m[mask, 0] | m[0, index] | m[[0, 1]] | m[index, :1]
m[m > 0.5] | x.masked_select(mask) | x.index_select(0, index) | x.take(index)
F.cosine_similarity(m, m * 2) | F.cosine_similarity(m, x, 1) | F.margin_ranking_loss(x, y, torch.ones(3))
F.triplet_margin_loss(m, m * 2, m * 3)
torch.einsum("ij,jk->ik", m, m) | torch.einsum("ij->i", m) | torch.einsum("ij->ji", m) | torch.einsum("i,j->ij", x, y)
torch.einsum("bij,bjk->bik", s, s) | torch.einsum("ii", m) | torch.einsum("ij,j->i", m, x) | torch.einsum("i,i->", x, y)
torch.einsum("ij,j->ji", m, x) | torch.einsum("bij,bij->b", s, s) | torch.einsum("ij,jk,kl->il", m, m, m)
torch.einsum("...i,i->...", s, x) | torch.einsum("i,j->ji", x, y) | torch.einsum("ij,kl->il", m, m)
"""
for line in functions.strip().splitlines():
    for text in line.split(" | "):
        result = eval(text)
        print(text, kinds(result.grad_fn))
        print(result.detach())
        try:
            print(torch.autograd.grad((result * result).sum(), [x, y, m, s], allow_unused=True))
        except Exception as error:
            print(type(error).__name__, error)

n = torch.tensor([[1.0, float("nan"), 2.0], [3.0, 1.0, 2.0]])
print(torch.quantile(n, 0.5, dim=1), torch.quantile(n, torch.tensor([0.1, 0.9]), dim=1, interpolation="nearest"))
print(torch.quantile(m, torch.tensor([0.2, 0.5]), dim=0))
print(torch.quantile(m, torch.tensor([0.2, 0.5]), keepdim=True))
print(torch.quantile(n, 0.5), torch.cov(n[1:]), torch.cov(n[1:], correction=0))
zero = torch.zeros(2, 2, requires_grad=True)
F.cosine_similarity(zero, zero + 1).sum().backward()
print(zero.grad)

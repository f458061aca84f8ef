# Functions whose sizes depend on values, and those that place and pick elements.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


x = torch.tensor([[0.0, 2.0, -1.0], [3.0, 0.0, 0.5]])
print(torch.nonzero(x), torch.nonzero(torch.tensor(3)))
print(torch.where(x > 0, x, 0.0), torch.where(x > 0, 1, 0), x.where(x > 0, -x))
r = torch.tensor([1, 0, 2])
print(x.repeat_interleave(2), x.repeat_interleave(2, 0))
u = torch.tensor([3, 1, 2, 3, 1])
print(torch.unique(u), torch.unique(u, return_inverse=True), torch.unique(u, return_counts=True))
print(u.unique(return_inverse=True, return_counts=True), torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 1])))
print(torch.unique(torch.tensor([[1, 2], [1, 2], [0, 3]]), dim=0))
print(torch.bincount(u), torch.bincount(u, minlength=6), torch.bincount(u, weights=torch.arange(5.0)))
print(torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3), torch.histc(x, 3))
print(torch.embedding(x, torch.tensor([1, 0])))
p = torch.zeros(2, 3)
print(p.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([5.0, 6.0])))
print(p.index_put_((torch.tensor([0, 0]),), torch.tensor(1.0), accumulate=True))
print(p.index_put((torch.tensor([1]),), torch.tensor(9.0)))
print(p.masked_scatter(p > 1, torch.arange(10.0)), p.take(torch.tensor([0, 5])), torch.take_along_dim(x, x.argsort(1), 1))
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])), torch.combinations(torch.tensor([1, 2, 3])))
print(torch.bucketize(torch.tensor([0.5, 2.0]), torch.tensor([0.0, 1.0, 2.0])), torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4])))
print(torch.count_nonzero(x), torch.count_nonzero(x, 0), x.diff(), torch.isin(u, torch.tensor([1, 2])))
print(torch.tensor_split(torch.arange(7), 3), torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
print(u.median(), x.diag(), x.trace(), torch.diag(torch.tensor([1.0, 2.0])), torch.inner(x, x), torch.dist(x, -x))

w = x.clone().requires_grad_()
y = w * 1
y.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([5.0, 6.0]))
(y * y).sum().backward()
print(w.grad, y)
w.grad = None
w[w > 0].sum().backward()
print(w.grad)
attempt("histc", lambda: torch.histc(u))
attempt("bincount", lambda: torch.bincount(torch.tensor([-1])))

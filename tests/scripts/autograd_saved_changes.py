# What a backward says when an index, a mask or a value that it saved was written or detached.
import torch
from torch.nn import functional as F

w = torch.ones(3, requires_grad=True)


def attempt(what, run):
    w.grad = None
    try:
        run()
        print(what, w.grad)
    except RuntimeError as error:
        print(f"{what}: {str(error)[:330]}")


def index():
    return torch.tensor([0, 1])


def mask():
    return torch.tensor([True, False, True])


def written(place, run, value=0):
    def body():
        y = run(place)
        place.fill_(value)
        y.sum().backward()
    return body


def assigned(place, value):
    y = w * 1
    y[place] = value
    return y


attempt("w[i]", written(index(), lambda i: w[i]))
attempt("w[i] of rows", written(index(), lambda i: torch.stack([w, w, w])[i]))
attempt("w[:, i]", written(index(), lambda i: torch.stack([w, w, w])[:, i]))
attempt("w[i, j]", written(index(), lambda i: torch.stack([w, w, w])[i, i]))
attempt("w[m]", written(mask(), lambda m: w[m], False))
attempt("w[m] of rows", written(mask(), lambda m: torch.stack([w, w, w])[m], False))
attempt("y[i] = ", written(index(), lambda i: assigned(i, w[:2] * 3)))
attempt("y[m] = ", written(mask(), lambda m: assigned(m, w[:2] * 3), False))
attempt("gather", written(index(), lambda i: w.gather(0, i)))
attempt("index_select", written(index(), lambda i: w.index_select(0, i)))
attempt("take", written(index(), lambda i: w.take(i)))
attempt("index_fill", written(index(), lambda i: w.index_fill(0, i, 3.0)))
attempt("index_add", written(index(), lambda i: w.index_add(0, i, w[:2])))
attempt("index_put", written(index(), lambda i: w.index_put((i,), w[:2])))
attempt("scatter", written(index(), lambda i: w.scatter(0, i, 3.0)))
attempt("embedding", written(index(), lambda i: F.embedding(i, torch.stack([w, w, w]))))
attempt("cross_entropy", written(torch.tensor([0, 1, 2]), lambda i: F.cross_entropy(
    torch.stack([w, w, w]), i)))
attempt("masked_fill", written(mask(), lambda m: w.masked_fill(m, 2.0), False))
attempt("where", written(mask(), lambda m: torch.where(m, w, w * 2), False))
attempt("product", written(mask(), lambda m: w * m, False))
for dtype in (torch.half, torch.bfloat16, torch.double, torch.uint8, torch.int32, torch.int16):
    attempt(dtype, written(torch.ones(3, dtype=dtype), lambda c: w * c))

print(w[[0, 1]], w[index()], w[mask()], torch.stack([w, w])[:, index()])
print(torch.stack([w, w])[torch.tensor([True, False])], w[torch.tensor([[0], [1]])])


# Detached in place.
def argument():
    v = w * 2
    y = v * v
    v.detach_()
    y.sum().backward()


def written_too():
    v = w * 2
    y = v * v
    v.detach_()
    print(v.requires_grad, v.grad_fn, v.is_leaf)
    y.sum().backward()


def result():
    v = w * 2
    kept = v.exp()
    y = kept + v
    kept.detach_()
    v.detach_()
    y.sum().backward()


def not_read():
    v = w * 2
    y = v * 3
    v.detach_()
    y.sum().backward()


def maximum():
    v = w * torch.ones(3)
    y = torch.maximum(v, torch.zeros(3))
    v.detach_()
    y.sum().backward()


def given(v):
    return (v * v).sum()


def outside():
    v = w * 2
    y = given(v)
    v.detach_()
    y.backward()


def keeps_gradient():
    v = w * 2
    v.retain_grad()
    y = (v * 3).sum()
    v.detach_()
    y.backward()


for f in (argument, written_too, result, not_read, maximum, outside, keeps_gradient):
    attempt(f.__name__, f)
    attempt(f.__name__, f)

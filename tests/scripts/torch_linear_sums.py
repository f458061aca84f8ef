# tolerance: 1e-5
# Sums with a product of matrices: F.linear, addmm and its kin, their errors and their nodes.
import torch
from torch.nn import functional as F

O = torch.ones


def attempt(what, run):
    try:
        result = run()
        print(what, tuple(result.shape), result.dtype)
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


for sizes in (((2, 3), (4, 5), None), ((2, 3), (4, 5), (4,)), ((2, 3), (4, 3), (5,)), ((2, 3), (4, 3), (2, 4)),
              ((2, 3), (4, 3), (1,)), ((2, 3), (4, 3), ()), ((3,), (4, 3), (5,)), ((3,), (4, 3), (4,)),
              ((3,), (4, 5), (4,)), ((3,), (5,), None), ((3,), (3,), None), ((3,), (3,), ()), ((3,), (3,), (2,)),
              ((2, 3), (3,), None), ((2, 3), (3,), (1,)), ((2, 2, 3), (4, 5), None), ((2, 2, 3), (4, 5), (4,)),
              ((2, 2, 3), (4, 3), (5,)), ((2, 2, 3), (4, 3), (2, 4)), ((2, 2, 3), (4, 3), (2, 2, 4)),
              ((2, 2, 3), (4, 3), (1,)), ((2, 2, 3), (4, 3), ()), ((), (4, 3), None), ((), (4, 3), (4,)),
              ((2, 3), (2, 4, 3), None), ((2, 3), (4, 3), (3, 4)), ((0, 3), (4, 5), (4,)), ((2, 3), (), None),
              ((3,), (4, 5), None), ((2, 3), (4, 3), (2, 1))):
    x, w, b = [None if size is None else O(size) for size in sizes]
    attempt(sizes, lambda: F.linear(x, w, b))

for of_x, of_w, of_b in (("int64", "float32", None), ("int64", "float32", "float32"), ("float64", "float32", "float32"),
                         ("float32", "float32", "float64"), ("int64", "int64", "int64"), ("bool", "bool", None),
                         ("int64", "int64", "float32")):
    for size in ((2, 3), (3,), (2, 2, 3)):
        x, w = O(size, dtype=getattr(torch, of_x)), O(4, 3, dtype=getattr(torch, of_w))
        b = None if of_b is None else O(4, dtype=getattr(torch, of_b))
        attempt((of_x, of_w, of_b, size), lambda: F.linear(x, w, b))

for sizes in (((3,), (3, 4), (4,)), ((3,), (3, 4), (3,)), ((2,), (3, 4), (4,)), ((1,), (3, 4), (4,)), ((), (3, 4), (4,)),
              ((2, 3), (3, 4), (4,)), ((3,), (4,), (4,)), ((3,), (3, 4), (4, 1)), ((4,), (0, 4), (4,))):
    attempt(("addmv", sizes), lambda: torch.addmv(*[O(size) for size in sizes]))
for sizes in (((3, 4), (3,), (4,)), ((4,), (3,), (4,)), ((), (3,), (4,)), ((2, 4), (3,), (4,)), ((3, 4), (3, 1), (4,)),
              ((2, 3, 4), (3,), (4,)), ((3, 1), (3,), (4,))):
    attempt(("addr", sizes), lambda: torch.addr(*[O(size) for size in sizes]))
for sizes in (((3, 4), (2, 3, 5), (2, 5, 4)), ((4,), (2, 3, 5), (2, 5, 4)), ((), (2, 3, 5), (2, 5, 4)),
              ((2, 4), (2, 3, 5), (2, 5, 4)), ((3, 4), (2, 3, 5), (3, 5, 4)), ((3, 4), (2, 3, 5), (2, 4, 4)),
              ((2, 3, 4), (2, 3, 5), (2, 5, 4))):
    attempt(("addbmm", sizes), lambda: torch.addbmm(*[O(size) for size in sizes]))
D, L = torch.float64, torch.int64
attempt("addmv", lambda: torch.addmv(O(3), O(3, 4, dtype=D), O(4)))
attempt("addmv", lambda: torch.addmv(O(3, dtype=L), O(3, 4, dtype=L), O(4, dtype=L)))
attempt("addmv", lambda: torch.addmv(O(3, dtype=bool), O(3, 4, dtype=bool), O(4, dtype=bool)))
attempt("addr", lambda: torch.addr(O(3, 4), O(3, dtype=D), O(4)))
attempt("addr", lambda: torch.addr(O(3, 4, dtype=L), O(3), O(4)))
attempt("addbmm", lambda: torch.addbmm(O(3, 4, dtype=D), O(2, 3, 5), O(2, 5, 4)))
nan = torch.tensor([float("nan")])
print(torch.addmv(nan, O(1, 1), O(1), beta=0), torch.addr(nan, O(1), O(1), beta=0))

torch.manual_seed(0)
x, y = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True)
m, s = torch.rand(3, 3, requires_grad=True), torch.rand(2, 3, 3, requires_grad=True)
for run in (lambda: torch.addmv(x, m, y), lambda: torch.addmv(x, m, y, beta=0.5, alpha=2), lambda: x.addmv(m, y, beta=0),
            lambda: torch.addr(m, x, y), lambda: torch.addr(x, x, y, beta=0.5, alpha=2),
            lambda: torch.addbmm(m, s, s), lambda: torch.addbmm(x, s, s, beta=0.5, alpha=2),
            lambda: torch.addmm(x, m, m), lambda: F.linear(m, m, x), lambda: F.linear(x, m, y),
            lambda: (x * 1).addmv_(m, y), lambda: (m * 1).addr_(x, y), lambda: (m * 1).addbmm_(s, s),
            lambda: (m * 1).addmm_(m, m), lambda: (s * 1).baddbmm_(s, s)):
    result = run()
    print(result)
    print(torch.autograd.grad((result * result).sum(), [x, y, m, s], allow_unused=True))

# torch.nn.functional.pad: modes, negative ends, errors, gradients.
import torch
import torch.nn.functional as F
def attempt(what, f):
    try:
        r = f()
        print(what, r)
    except Exception as e:
        print(what, "|", type(e).__name__, "|", str(e))
x = torch.arange(6.0).reshape(2, 3)
x3 = torch.arange(12.0).reshape(1, 3, 4)
attempt("pad", lambda: F.pad(x, (1, 2)))
attempt("pad", lambda: F.pad(x, (1, -1, 0, 2), value=7))
attempt("pad", lambda: F.pad(x, [1, 1], "constant", 3.5))
attempt("pad none", lambda: F.pad(x, []))
attempt("pad id", lambda: F.pad(x, (0, 0)) is x)
attempt("pad odd", lambda: F.pad(x, (1,)))
attempt("pad many", lambda: F.pad(x, (1, 1, 1, 1, 1, 1)))
attempt("pad neg", lambda: F.pad(x, (-2, -2)))
attempt("pad neg0", lambda: F.pad(x, (-2, -1)))
attempt("pad mode", lambda: F.pad(x, (1, 1), "foo"))
attempt("pad value", lambda: F.pad(x, (1, 1), "reflect", 1.0))
attempt("reflect", lambda: F.pad(x, (1, 1), "reflect"))
attempt("reflect 3", lambda: F.pad(x3, (1, 2), mode="reflect"))
attempt("reflect big", lambda: F.pad(x, (3, 1), "reflect"))
attempt("reflect neg", lambda: F.pad(x, (-1, 1), "reflect"))
attempt("reflect 4d", lambda: F.pad(x3, (1, 1, 2, 0), "reflect"))
attempt("replicate", lambda: F.pad(x, (1, 3), "replicate"))
attempt("replicate neg", lambda: F.pad(x, (-1, 3), "replicate"))
attempt("replicate2", lambda: F.pad(x3, (1, 0, 1, 1), "replicate"))
attempt("circular", lambda: F.pad(x, (1, 2), "circular"))
attempt("circular big", lambda: F.pad(x, (1, 4), "circular"))
attempt("circular neg", lambda: F.pad(x, (-1, 1), "circular"))
attempt("circular 3", lambda: F.pad(x3, (1, 1, 1, 0), "circular"))
attempt("bad dims", lambda: F.pad(x3, (1, 1, 1, 1, 1, 1), "reflect"))
attempt("bad dims", lambda: F.pad(torch.zeros(3), (1, 1), "reflect"))
attempt("pad int", lambda: F.pad(torch.arange(3), (1, 1), value=2))
attempt("pad int f", lambda: F.pad(torch.arange(3), (1, 1), value=2.5))
attempt("pad bool", lambda: F.pad(torch.tensor([True]), (1, 1)))
attempt("pad arg", lambda: F.pad(x, 1))
attempt("pad arg", lambda: F.pad(x, (1.0, 1)))
attempt("pad arg", lambda: F.pad([1], (1, 1)))
attempt("reflect int", lambda: F.pad(torch.arange(3)[None], (1, 1), "reflect"))
attempt("circ int", lambda: F.pad(torch.arange(3)[None], (1, 1), "circular"))
for mode in ("constant", "reflect", "replicate", "circular"):
    w = x3.clone().requires_grad_()
    p = F.pad(w, (2, 1, 1, 2) if mode != "circular" else (2, 1, 1, 2), mode)
    print(mode, mode == "circular" or p.grad_fn.name())
    (p * torch.arange(p.numel()).reshape(p.shape)).sum().backward()
    print(w.grad)
w = x.clone().requires_grad_()
attempt("grad_fn", lambda: F.pad(w, (1, 1), "reflect").grad_fn.name())
attempt("grad_fn", lambda: F.pad(w, (1, 1), "replicate").grad_fn.name())
attempt("grad_fn", lambda: F.pad(w, (1, -1)).grad_fn.name())


@torch.compile(dynamic=True)
def padded(x, mode):
    return F.pad(x, (1, 2), mode) * 2


for n in (3, 4, 5):
    for mode in ("constant", "reflect", "replicate", "circular"):
        print(padded(torch.arange(2.0 * n).reshape(2, n), mode))

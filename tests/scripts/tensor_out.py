# `out=` of functions that are made of others, and edges of small functions.
import torch


def show(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])


for make in (lambda: torch.zeros(0), lambda: torch.zeros(0, dtype=torch.int64)):
    out = make()
    show(lambda: torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3, out=out))
    print(out)
    show(lambda: torch.nonzero(torch.tensor([1, 0, 2]), out=make()))
    x, places = torch.tensor([[1.0, 2.0]]), torch.tensor([[1, 0]])
    show(lambda: torch.take_along_dim(x, places, 1, out=make()))
    show(lambda: torch.multinomial(torch.tensor([0.0, 1.0]), 1, out=make()))
out = torch.zeros(1, 2)
print(torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]), out=out) is out, out)
torch.manual_seed(0)
out = torch.zeros(3)
print(torch.normal(torch.zeros(3), torch.ones(3), out=out) is out, out)
print(torch.normal(0.0, 1.0, (3,), out=out) is out, out)
x = torch.arange(6.0).reshape(2, 3)
print(torch.add(x, 1, out=x) is x, x)
print(torch.mul(x, x.t().reshape(2, 3), out=x))

show(lambda: divmod(torch.tensor([5.0, 7.0]), 2))
show(lambda: divmod(7, torch.tensor(2)))
show(lambda: torch.tensor(1.0).diag())
show(lambda: torch.zeros(0).logsumexp(0))
show(lambda: torch.zeros(0, 3).logsumexp(1))
show(lambda: torch.einsum("i,j->ij", torch.zeros(0), torch.ones(2)))
show(lambda: torch.einsum("ij,jk->ik", torch.zeros(2, 0), torch.zeros(0, 3)))
show(lambda: list(reversed(torch.arange(3))))
show(lambda: reversed(torch.arange(4).reshape(2, 2)))

# Blends, plain and not: other shapes, orders, dtypes, overlaps.
a, b = torch.arange(12.0).reshape(3, 4), torch.ones(4)
print(torch.lerp(a, a + 1, 0.25), torch.lerp(a, a + 1, 0.75))
print(a.clone().lerp_(a.flip(0), 0.5), a.t().lerp(a.t() * 2, 0.1))
print(torch.addcmul(a, b, b, value=0.5), a.clone().addcmul_(a, a, value=-1))
print(torch.addcdiv(a, b, b + 1), a.clone().addcdiv_(a, a + 1, value=2))
print(torch.addcmul(torch.arange(3), torch.arange(3), torch.arange(3), value=2))
show(lambda: torch.lerp(a, a.double(), 0.5))
c = torch.arange(40000.0)
c[:-1].addcmul_(c[1:].clone(), torch.ones(39999), value=0.5)
print(c[:3], c[-3:], c.sum())
out = torch.zeros(3, 4)
print(torch.addcmul(a, a, a, out=out) is out, out)
print(torch.lerp(a, b, 0.1, out=out))

# vmap: dimensions in and out, trees of arguments and results, maps of maps and of derivatives, randomness, what it refuses.
import torch
from torch.func import vmap, grad, jacrev, functional_call, vjp, hessian


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error))


x = torch.arange(6.).reshape(2,3)
print(torch.vmap is vmap, vmap(torch.sum)(x), vmap(lambda a: a*2, out_dims=1)(x), vmap(torch.dot, in_dims=(0, None))(x, torch.ones(3)), vmap(torch.dot, in_dims=1)(x, x))
told(lambda: vmap(lambda: 1)())
told(lambda: vmap(torch.sum)(5))
told(lambda: vmap(torch.add)(x, torch.ones(3)))
told(lambda: vmap(torch.sum, in_dims=3)(x))
told(lambda: vmap(torch.sum, in_dims="a")(x))
told(lambda: vmap(torch.sum, in_dims=None)(x))
told(lambda: vmap(torch.sum)(torch.tensor(1.)))
told(lambda: vmap(lambda a: 3)(x))
told(lambda: vmap(lambda a: (a, "x"))(x))
told(lambda: vmap(lambda a: torch.ones(2))(x))
told(lambda: vmap(lambda a: (a, a), out_dims=(0,1))(x))
told(lambda: vmap(lambda a: a, out_dims=None)(x))
told(lambda: vmap(lambda a: torch.ones(2), out_dims=None)(x))
told(lambda: vmap(lambda a: a, out_dims=5)(x))
told(lambda: vmap(lambda d: {"s": d["a"].sum() + d["b"], "t": [d["a"]]})({"a": x, "b": x[:,0]}))
told(lambda: vmap(lambda d, e: d["a"] + e, in_dims=({"a": 0}, None))({"a": x}, 1.0))
told(lambda: vmap(lambda l: l[0] + l[1], in_dims=([0, 1],))([x, torch.ones(3,2)]))
told(lambda: vmap(vmap(torch.mul))(x, x))
told(lambda: vmap(vmap(torch.mul, in_dims=(None,0)), in_dims=(0,None))(x, torch.ones(3,1)))
told(lambda: vmap(grad(lambda w, a: (w*a).sin().sum()), in_dims=(None,0))(torch.ones(3), x))
told(lambda: jacrev(lambda a: vmap(torch.sin)(a))(torch.ones(2)))
told(lambda: vmap(lambda a: a + torch.rand(3))(x).shape)
torch.manual_seed(0)
told(lambda: vmap(lambda a: a*0 + torch.rand(1), randomness="different")(x))
torch.manual_seed(0)
told(lambda: vmap(lambda a: a*0 + torch.rand(1), randomness="same")(x))
told(lambda: vmap(lambda a: a, randomness="no")(x))
told(lambda: vmap(torch.sum, chunk_size=1)(x))
told(lambda: vmap(torch.sum, chunk_size=0)(x))
y = x.clone().requires_grad_()
z = vmap(lambda a: (a**2).sum())(y)
z.sum().backward()
print(y.grad)
told(lambda: vmap(lambda a, k=1: a*k)(x, k=3))
told(lambda: vmap(lambda a, k: a*k)(x, k=x))
m = torch.nn.Linear(3,1)
params = {k: v.detach() for k,v in m.named_parameters()}


def loss(p, a, t): return ((functional_call(m, p, (a.unsqueeze(0),)).squeeze(0) - t)**2).sum()
g = vmap(grad(loss), in_dims=(None,0,0))(params, x, torch.ones(2,1))
print({k: v.shape for k,v in g.items()})
told(lambda: vmap(torch.sum)(torch.ones(0,3)))
def f(a):
    a.add_(1)
    return a

w = x.clone()
print(vmap(f)(w), w)
told(lambda: vmap(lambda a: a.shape)(x))
told(lambda: vmap(lambda a: a, in_dims=-1)(x))
told(lambda: vmap(lambda a: a.reshape(3,1), out_dims=-1)(x).shape)
print(vmap(lambda a: torch.where(a > 1, a, 0.).max(0))(x))


# In a compiled function it runs as it is, and the graph ends before it.
@torch.compile
def of_rows(x, y):
    return vmap(torch.dot)(x * 2, y) + 1


print(of_rows(x, torch.ones(2, 3)))

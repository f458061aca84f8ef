# Lists and tuples among the arguments of operators whose derivative is recorded: guarded item by item.
import torch, torch.nn as nn, torch.nn.functional as F
def show(f, y, values):
    g = torch.compile(f)
    for p in values:
        assert torch.allclose(f(y, p), g(y, p)), (f(y, p), g(y, p))
        print(tuple(g(y, p).shape))
y = torch.arange(24.).reshape(2,3,4).requires_grad_()
show(lambda y,p: y.sum(p), y, ((0,1),(1,2),[0,2]))
show(lambda y,p: F.pad(y,p), y, ((0,1),(1,2),[2,2]))
show(lambda y,p: y.repeat(p), y, ((1,1,2),(1,2,1)))
show(lambda y,p: y.flip(p)[0], y, ((0,),(1,),(0,1)))
show(lambda y,p: y.roll(p,(0,1))[0], y, ((0,1),(1,1)))
show(lambda y,p: F.layer_norm(y,p), y, ((4,),(3,4)))
show(lambda y,p: torch.cat(p), y, ([y,y],[y,y,y]))
for p in (1,2,3): print(torch.compile(lambda m,y: m(y))(nn.ZeroPad1d(p),y).shape)
dims = [0,1]
@torch.compile
def h(y): return y.sum(dims)
print(h(y).shape); dims[1] = 2; print(h(y).shape); dims.pop(); print(h(y).shape)

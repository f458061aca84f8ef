# What a tensor of indices may be: int64, int32 or a mask; and of no elements none can be taken.
import torch
def tell(f):
    try:
        r = f()
        print(list(r.shape), r.flatten().tolist()[:6])
    except Exception as e:
        print(type(e).__name__, e)
for dt in [torch.int16, torch.int8, torch.int32, torch.bool, torch.float32, torch.int64]:
    i = torch.tensor([0, 1, 1], dtype=dt)
    j = torch.tensor([0, 2, 1])
    x = torch.arange(9.).reshape(3, 3)
    tell(lambda: x.index_put((i,), torch.full((3,), -1.)))
    tell(lambda: x.index_put((j, i), torch.full((3,), -1.)))
    tell(lambda: x.index_put((i,), torch.tensor(-1.)))
    tell(lambda: x[i])
    tell(lambda: x[j, i])
    tell(lambda: x[:, i])
    def put(key):
        y = x.clone()
        y[key] = -1
        return y
    tell(lambda: put(i))
    tell(lambda: put((slice(None), i)))
tell(lambda: torch.ones(0)[torch.tensor([0, 1])])
tell(lambda: torch.ones(2, 0)[:, torch.tensor([1])])

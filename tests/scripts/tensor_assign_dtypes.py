# By index tensors and lists a tensor of the same dtype is assigned; one element by a mask, and what
# slices take, is converted.
import torch
def tell(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def put(x, k, v):
    x[k] = v
    return x
z = lambda: torch.zeros(3)
t = torch.tensor
m = t([True, False, True])
for v in [t([1]), t(1), t([1, 2]), t([True, True]), t(2.5, dtype=torch.float64)]:
    for k in [[0], t([0]), t([0, 1]), m, (m,), slice(0, 2), t([], dtype=torch.int64), []]:
        tell(lambda: put(z(), k, v))

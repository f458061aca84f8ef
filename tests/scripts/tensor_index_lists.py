# Masks of other sizes are refused in writes too; tuples within an index are lists; pads that only
# cut off give a copy.
import torch
import torch.nn.functional as F
def tell(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def put(x, k, v=1):
    x[k] = v
    return x
x = torch.arange(4); y = F.pad(x, [-1, -1]); y[0] = 100; print(x)
z = lambda: torch.zeros(3, 4)
t = torch.tensor
for k in [t([True, False]), t([True]), t([True]*4), t([[True], [False], [True]]), t([[True]]), t([[True] * 4]), (slice(None), t([True, False])), (0, t([True, False])), (0, t([True, False, True, False])), t([True, False, True])]:
    tell(lambda: put(z(), k)); tell(lambda: put(z(), k, t(5.)))
tell(lambda: put(z(), ((0, 1),)))
tell(lambda: put(z(), ((0, 1), 1)))
tell(lambda: z()[[0, 1]].shape)
tell(lambda: z()[[True, False, True]].shape)
tell(lambda: z()[[]].shape)
tell(lambda: F.pad(torch.zeros(2, 0), [-1, 0], mode="replicate"))
tell(lambda: F.pad(torch.zeros(2, 1), [-1, -1], mode="reflect"))
tell(lambda: F.pad(torch.zeros(2, 1), [0, -2], mode="reflect"))
tell(lambda: F.pad(torch.zeros(2, 3), [-1, -1], mode="reflect"))
tell(lambda: F.pad(torch.ones(2, 3), [-1, -1]))

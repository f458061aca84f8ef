# Regions that guard sizes have kernels of the same text, which hold for the sizes of each.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def columns(x):
    if x.shape[1] == 32 or x.shape[1] == 33:
        pass
    return x.sum(0), x.amax(0), x.softmax(0).sum(0), x.cumsum(0)[-1]


def rows(x):
    if x.shape[0] == 32 or x.shape[0] == 33 or x.shape[0] == 513:
        pass
    return x.sum(1), x.sum(0), x.t().contiguous().sum(1)


for f in (columns, rows):
    for dynamic in (True, None):
        compiled = torch.compile(f, dynamic=dynamic)
        for sizes in ((64, 30), (64, 32), (64, 33), (31, 64), (32, 64), (33, 64), (513, 32)):
            x = torch.arange(float(sizes[0] * sizes[1]), device=device).reshape(sizes) % 7
            print(sizes, [round(y.double().sum().item(), 2) for y in compiled(x)], int(compiled(x)[0][-1]))

# A reduction over one element says whether it is not zero.
truth = torch.compile(lambda x: [int(y.sum()) for y in (x.all(-2), x.any(0), x.all(1), x.all(0, keepdim=True))])
for sizes in ((1, 1), (1, 3), (3, 1), (2, 2)):
    print(truth(torch.full(sizes, 10, dtype=torch.uint8, device=device)))

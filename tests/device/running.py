# The greatest and the least so far: one launch, and what the processor finds.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def same(x, dim):
    for running in (torch.cummax, torch.cummin):
        near, far = running(x, dim), running(x.to(device), dim)
        if not torch.equal(near[1], far[1].cpu()):
            return False
        if not torch.allclose(near[0].double(), far[0].cpu().double(), equal_nan=True):
            return False
    return True


for shape in ((1,), (5,), (33,), (300,), (1000,), (3, 700), (4, 5, 6), (2, 0), (257, 2)):
    x = torch.randn(shape) * 3
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.uint8, torch.bool):
        wrong = [dim for dim in range(len(shape)) if not same(x.abs().to(dtype), dim)]
        if wrong:
            print(shape, dtype, wrong)
x = torch.randn(600)
x[300] = x[400] = float("nan")
x[10] = x[20] = float("inf")
print(same(x, 0), same(torch.tensor(3.0), 0))
y = torch.randn(4, 500, device=device)
y.cummax(1)
before = glint.cuda.launches()
y.cummax(1)
print(glint.cuda.launches() - before <= 1)
y.cummax(0), y[:, ::3].cummin(0)
before = glint.cuda.launches()
y.cummax(0), y[:, ::3].cummin(0)
print(glint.cuda.launches() - before <= 2)
print(same(torch.randn(6, 40)[:, ::3], 0), same(torch.randn(6, 40).t(), 0), same(torch.randn(6, 40).t(), 1))
print(torch.compile(lambda x: torch.cummax(x * 2, 0)[0] + 1)(torch.tensor([1.0, 3.0, 2.0], device=device)))

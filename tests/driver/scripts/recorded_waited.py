# A record whose launches are waited for: the replay tells what a check has found, and where.
# CUDA_LAUNCH_BLOCKING=1 GLINT_CUBLASLT=none
import torch
import torch.nn.functional as F
import glint.cuda

x, m = torch.arange(12.0).reshape(4, 3).cuda(), torch.ones(2, 3).cuda()
good, bad = torch.tensor([1, 2]).cuda(), torch.tensor([1, 9]).cuda()


@torch.compile(mode="reduce-overhead")
def step(x, i, m):
    x.mul_(2)
    y = F.softmax(x, 1)
    return (y @ x.T).sum(0), x.index_add(0, i, m).sum()


print(step(x, good, m)[1], step(x, good, m)[1])
# The record, and behind it, as no check has failed, the write of `x`.
before = glint.cuda.launches()
step(x, good, m)
print(glint.cuda.launches() - before)
try:
    print("launched", step(x, bad, m))
except RuntimeError as error:
    print(type(error).__name__, error)
# Doubled once by each call.
print(x[0], step(x, good, m)[1])
step(x, bad, m)

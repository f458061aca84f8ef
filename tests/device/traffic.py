# What a device is asked for: copies, launches, memory, errors. The output is recorded.
import torch
import glint.cuda

print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.get_device_name())
x = torch.ones(4, 8).cuda()
y = torch.ones(8, device="cuda")
torch.softmax(x, 1), x + y, x * 2.0, x.t().contiguous()  # compiled once
before = glint.cuda.copies(), glint.cuda.launches()
x + y
x * 3.0
x.add_(1.0)
torch.softmax(x, 1)
x.t().contiguous()
z = x[:, 1:3]
z.zero_()
print(glint.cuda.copies() == before[0], glint.cuda.launches() - before[1])
print(x.sum().item(), glint.cuda.copies()[1] - before[0][1])

start = torch.cuda.memory_allocated()
a = torch.empty(1000, device="cuda")
print(torch.cuda.memory_allocated() - start, torch.cuda.max_memory_allocated() >= 4096)
del a
print(torch.cuda.memory_allocated() - start)
torch.cuda.empty_cache()
torch.cuda.synchronize()


def attempt(run):
    try:
        run()
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: torch.ones(3) + y)
attempt(lambda: x @ torch.ones(8, 2))
attempt(lambda: torch.ones(8).add_(y))
attempt(lambda: torch.zeros(2, device="cuda:3"))
attempt(lambda: torch.zeros(2, device="gpu"))
attempt(lambda: torch.empty(1 << 40, device="cuda"))
attempt(lambda: print(y[torch.tensor([9], device="cuda")]))
print(torch.tensor(2.0) * y, y.device, y.is_cuda, y.get_device(), y.cpu().is_cuda)

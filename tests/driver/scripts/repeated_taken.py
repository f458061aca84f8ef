# So many launches go as graphs that the launch which would fail never comes.
# FAKE_DRIVER_FAILS=cuLaunchKernel:33=719
import torch

step = torch.compile(lambda x, y: torch.relu(x * 2 - y).sum(), dynamic=False)
x, y = torch.arange(1000.0).cuda(), torch.ones(1000).cuda()
with torch.no_grad():
    for i in range(100):
        last = step(x, y)
        y += 1
print(last)

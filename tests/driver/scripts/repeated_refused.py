# A graph that the driver refuses: the kernel is launched as it came, and nobody is told.
# FAKE_DRIVER_FAILS=cuGraphLaunch:3=2
import torch

x = torch.zeros(5).cuda()
for i in range(60):
    x = x + 1
print(x)

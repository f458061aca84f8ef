# A script that leaves by `sys.exit` is told too what kernels have found.
import sys
import torch

x = torch.arange(12.0).reshape(4, 3).cuda()
lost = x[torch.tensor([1, 9]).cuda()]
print("launched")
sys.exit(0)

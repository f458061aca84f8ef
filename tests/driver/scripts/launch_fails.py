# The third launch fails; what comes behind it goes on. FAKE_DRIVER_FAILS=cuLaunchKernel:3=1
import torch

x = torch.arange(3.0, device="cuda")
for step in range(4):
    try:
        x = x + 1
        print(x)
    except torch.AcceleratorError as error:
        print(type(error).__name__, error)

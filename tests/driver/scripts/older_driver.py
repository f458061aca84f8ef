# A driver of CUDA 11.4, whose NVRTC has a package of its own. FAKE_DRIVER_VERSION=11040
import torch

x = torch.arange(3.0).cuda()
for attempt in range(2):
    try:
        print(x + 1)
    except RuntimeError as error:
        print(type(error).__name__, error)
print(x.cpu() + 1)

# A GPU that NVRTC makes no code for any more. FAKE_DRIVER_CAPABILITY=50
import warnings

import torch

x = torch.arange(3.0).cuda()
try:
    print(torch.sin(x))
except RuntimeError as error:
    print(type(error).__name__, error)


@torch.compile
def double(x):
    return x * 2


try:
    print(double(x))
except RuntimeError as error:
    print(type(error).__name__, error)
print(torch.sin(x.cpu()))
with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), said[0].message)

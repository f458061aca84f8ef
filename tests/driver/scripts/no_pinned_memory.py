# No memory can be pinned: copies and `pin_memory` say so. FAKE_DRIVER_FAILS=cuMemHostAlloc:1=2
import torch

x = torch.arange(3.0)
try:
    x.cuda()
except RuntimeError as error:
    print(type(error).__name__, error)
print(x.cuda() + 1)

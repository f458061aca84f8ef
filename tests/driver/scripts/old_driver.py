# A driver of CUDA 12.2 with the NVRTC of CUDA 13. FAKE_DRIVER_VERSION=12020
import warnings

import torch

x = torch.arange(3.0).cuda()
for attempt in range(2):
    try:
        print(x + 1)
    except RuntimeError as error:
        print(type(error).__name__, error)
print(x.cpu() + 1)
with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), said[0].message)

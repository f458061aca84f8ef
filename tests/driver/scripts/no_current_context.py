# A driver that does not start is no GPU, and a warning says why. FAKE_DRIVER_FAILS=cuCtxSetCurrent:1=999
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), [str(each.message) for each in said])

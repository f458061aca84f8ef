# A driver that fails to open its GPU is told as that. FAKE_DRIVER_FAILS=cuDevicePrimaryCtxRetain:1=2
import warnings

import torch

for use in (lambda: torch.ones(2, device="cuda"), lambda: torch.cuda.Event().record()):
    try:
        print(use())
    except RuntimeError as error:
        print(type(error).__name__, error)
with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), [str(each.message) for each in said])

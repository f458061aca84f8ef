# A driver without a GPU. FAKE_DRIVER_DEVICES=0
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), said)
x = torch.arange(3.0)
try:
    x.cuda()
except RuntimeError as error:
    print(error)
print(x.pin_memory() is x, x.sum())

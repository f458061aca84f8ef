# A driver that fails to open its GPU is told as that. FAKE_DRIVER_FAILS=cuDevicePrimaryCtxRetain:1=2
import torch

for use in (lambda: torch.ones(2, device="cuda"), torch.cuda.Event):
    try:
        print(use())
    except RuntimeError as error:
        print(type(error).__name__, error)

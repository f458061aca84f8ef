# torch.accelerator where there is none: what scripts ask before they choose a device.
import torch

print(torch.accelerator.is_available(), torch.accelerator.device_count())
print(repr(torch.accelerator.current_accelerator()), torch.accelerator.current_accelerator(check_available=True))
device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
print(torch.ones(2, device=device), device.type)
print(torch.accelerator.memory_allocated(), torch.accelerator.empty_cache())
with torch.accelerator.device_index(None):
    print("as it was")
for needs in (torch.accelerator.synchronize, torch.accelerator.current_device_index):
    try:
        needs()
    except RuntimeError:
        print("no GPU")

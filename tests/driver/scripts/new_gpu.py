# A GPU that is newer than NVRTC: it compiles PTX for itself. FAKE_DRIVER_CAPABILITY=139
import torch

print(torch.cuda.get_device_capability())
x = torch.arange(6.0, device="cuda").reshape(2, 3)
print(torch.softmax(x, dim=1), torch.compile(lambda x: torch.tanh(x) @ x.t())(x))

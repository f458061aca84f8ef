# The simulated device without CUDA's compiler. GLINT_GPU=sim GLINT_NVRTC=/nowhere
import torch

x = torch.arange(3.0).cuda()
try:
    print(torch.softmax(x, dim=0))
except RuntimeError as error:
    print(error)
print(x.cpu() + 1)

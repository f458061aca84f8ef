# The simulated device without CUDA's compiler, nor what it made before: GLINT_NVRTC=/nowhere,
# GLINT_CACHE=/dev/null/cache, GLINT_GPU=sim
import torch

x = torch.arange(3.0).cuda()
try:
    print(torch.softmax(x, dim=0))
except RuntimeError as error:
    print(error)
print(x.cpu() + 1)

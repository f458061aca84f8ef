"""`torch.utils.hooks`: what takes a hook away."""
from torch._hooks import RemovableHandle

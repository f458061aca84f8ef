# Names that annotations of layers are made of.
import torch
from torch import nn
from torch.nn.common_types import _ratio_2_t, _size_1_t, _size_2_t, _size_3_t, _size_any_t
from torch.types import Device, Number, _dtype, _size
from torch.utils.hooks import RemovableHandle


class Layer(nn.Module):
    handle: RemovableHandle

    def __init__(self, size: _size_2_t, scale: _ratio_2_t = 1.0, device: Device = None, dtype: _dtype = torch.float32):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, size, device=device, dtype=dtype)
        self.handle = self.conv.register_forward_hook(lambda module, inputs, output: output * scale)

    def forward(self, x: torch.Tensor, by: Number = 1) -> torch.Tensor:
        return self.conv(x) * by


layer = Layer((2, 3))
print(layer(torch.ones(1, 1, 4, 4), by=2).shape, isinstance(layer.handle, torch.utils.hooks.RemovableHandle))
print(nn.common_types._size_2_t is _size_2_t)
layer.handle.remove()
print(len(layer.conv._forward_hooks))

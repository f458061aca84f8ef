"""Modules that put elements around signals, images and volumes.

    ZeroPad2d(1)                 # a frame of zeros
    ReflectionPad2d((1, 2, 0, 0))  # mirrored: left and right, then above and below
"""
from torch.nn import functional as F
from torch.nn.modules.module import Module


class _Pad(Module):
    _count = 2  # dimensions that are padded
    _mode = "constant"
    _value = 0.0

    def __init__(self, padding):
        super().__init__()
        count = 2 * self._count
        self.padding = (padding,) * count if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        if self._mode == "constant":
            return F.pad(input, self.padding, "constant", self._value)
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ZeroPad1d(_Pad):
    _count = 1


class ZeroPad2d(_Pad):
    _count = 2


class ZeroPad3d(_Pad):
    _count = 3


class ConstantPad1d(_ConstantPad):
    _count = 1


class ConstantPad2d(_ConstantPad):
    _count = 2


class ConstantPad3d(_ConstantPad):
    _count = 3


class ReflectionPad1d(_Pad):
    _count = 1
    _mode = "reflect"


class ReflectionPad2d(_Pad):
    _count = 2
    _mode = "reflect"


class ReflectionPad3d(_Pad):
    _count = 3
    _mode = "reflect"


class ReplicationPad1d(_Pad):
    _count = 1
    _mode = "replicate"


class ReplicationPad2d(_Pad):
    _count = 2
    _mode = "replicate"


class ReplicationPad3d(_Pad):
    _count = 3
    _mode = "replicate"


class CircularPad1d(_Pad):
    _count = 1
    _mode = "circular"


class CircularPad2d(_Pad):
    _count = 2
    _mode = "circular"


class CircularPad3d(_Pad):
    _count = 3
    _mode = "circular"

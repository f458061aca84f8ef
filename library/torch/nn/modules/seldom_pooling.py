"""Pooling that few scripts use.

    AdaptiveMaxPool2d(7)            the greatest of each of 7 by 7 parts
    MaxPool3d(2), LPPool2d(2, 3)    of volumes, and by a norm
    MaxUnpool2d(2)                  back from `MaxPool2d(2, return_indices=True)`
"""
from torch.nn import functional as F
from torch.nn.modules.module import Module
from torch.nn.modules.pooling import AvgPool2d, _AdaptiveAvgPool, _MaxPool, _sizes


class MaxPool3d(_MaxPool):
    _function = staticmethod(F.max_pool3d)


class AvgPool3d(AvgPool2d):
    _function = staticmethod(F.avg_pool3d)


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    _function = staticmethod(F.adaptive_avg_pool3d)


class _AdaptiveMaxPool(Module):
    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input):
        return self._function(input, self.output_size, self.return_indices)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    _function = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    _function = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    _function = staticmethod(F.adaptive_max_pool3d)


class _NormPool(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return self._function(input, float(self.norm_type), self.kernel_size, self.stride,
                              self.ceil_mode)

    def extra_repr(self):
        return (f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, "
                f"stride={self.stride}, ceil_mode={self.ceil_mode}")


class LPPool1d(_NormPool):
    _function = staticmethod(F.lp_pool1d)


class LPPool2d(_NormPool):
    _function = staticmethod(F.lp_pool2d)


class LPPool3d(_NormPool):
    _function = staticmethod(F.lp_pool3d)


class _MaxUnpool(Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = _sizes(kernel_size, self._count)
        self.stride = _sizes(stride if stride is not None else kernel_size, self._count)
        self.padding = _sizes(padding, self._count)

    def forward(self, input, indices, output_size=None):
        return self._function(input, indices, self.kernel_size, self.stride, self.padding,
                              output_size)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    _count = 1
    _function = staticmethod(F.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    _count = 2
    _function = staticmethod(F.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    _count = 3
    _function = staticmethod(F.max_unpool3d)

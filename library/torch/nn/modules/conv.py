"""Convolutions, and transposed ones.

    Conv2d(3, 8, 3, padding=1)     # 8 images of 3, each through windows of 3 by 3
    ConvTranspose2d(8, 3, 2, 2)    # and back: an image twice as large
"""
import math
import torch
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


_MODES = ("zeros", "reflect", "replicate", "circular")


def _sizes(value, count):
    return (value,) * count if isinstance(value, int) else tuple(value)


class _Convolution(Module):
    _count = 2  # how many dimensions a window has
    _transposed = False

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1,
                 groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        self._check(in_channels, out_channels, groups, padding, stride, padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _sizes(kernel_size, self._count)
        self.stride = _sizes(stride, self._count)
        self.padding = padding if isinstance(padding, str) else _sizes(padding, self._count)
        self.dilation = _sizes(dilation, self._count)
        self.groups = groups
        self.padding_mode = padding_mode
        first, second = out_channels, in_channels
        if self._transposed:
            first, second = in_channels, out_channels
        self.weight = Parameter(torch.empty((first, second // groups, *self.kernel_size),
                                            device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _check(self, in_channels, out_channels, groups, padding, stride, padding_mode):
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of "
                                 "{'valid', 'same'}")
            if padding == "same" and any([step != 1 for step in _sizes(stride, self._count)]):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _MODES:
            raise ValueError(f"padding_mode must be one of {set(_MODES)}, but got "
                             f"padding_mode='{padding_mode}'")

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        fan_in = self.weight.size(1) * math.prod(self.kernel_size)
        if self.bias is not None and fan_in != 0:
            bound = 1 / math.sqrt(fan_in)
            init.uniform_(self.bias, -bound, bound)

    def _around(self):
        """How much is put before and behind each dimension, the last one first."""
        if self.padding == "valid":
            return [0, 0] * self._count
        pads = []
        for i in range(self._count - 1, -1, -1):
            if self.padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                pads += [total // 2, total - total // 2]
            else:
                pads += [self.padding[i], self.padding[i]]
        return pads

    def forward(self, input):
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._around(), mode=self.padding_mode), 0
        return self._function(input, self.weight, self.bias, self.stride, padding, self.dilation,
                              self.groups)

    def extra_repr(self):
        text = (f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
                f"stride={self.stride}")
        if self.padding != (0,) * self._count:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self._count:
            text += f", dilation={self.dilation}"
        if getattr(self, "output_padding", (0,) * self._count) != (0,) * self._count:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class Conv1d(_Convolution):
    _count = 1
    _function = staticmethod(F.conv1d)


class Conv2d(_Convolution):
    _count = 2
    _function = staticmethod(F.conv2d)


class Conv3d(_Convolution):
    _count = 3
    _function = staticmethod(F.conv3d)


class _TransposedConvolution(_Convolution):
    _transposed = True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0,
                 output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros",
                 device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for '
                             f"{self.__class__.__name__}")
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups,
                         bias, padding_mode, device, dtype)
        self.output_padding = _sizes(output_padding, self._count)

    def forward(self, input, output_size=None):
        padding = self.output_padding
        if output_size is not None:
            padding = self._padding_for(input, output_size)
        return self._function(input, self.weight, self.bias, self.stride, self.padding, padding,
                              self.groups, self.dilation)

    def _padding_for(self, input, wanted):
        """How much has to be added to what there is without, in each dimension."""
        count = self._count
        around = 2 if input.dim() == count + 2 else 1
        if len(wanted) == around + count:
            wanted = wanted[around:]
        if len(wanted) != count:
            raise ValueError(f"ConvTranspose{count}D: for {input.dim()}D input, output_size must "
                             f"have {count} or {around + count} elements (got {len(wanted)})")
        least = []
        for i in range(count):
            reach = self.dilation[i] * (self.kernel_size[i] - 1) + 1
            steps = (input.size(i + around) - 1) * self.stride[i]
            least.append(steps - 2 * self.padding[i] + reach)
        most = [size + step - 1 for size, step in zip(least, self.stride)]
        if any([not low <= size <= high for low, size, high in zip(least, wanted, most)]):
            raise ValueError(f"requested an output size of {wanted}, but valid sizes range "
                             f"from {least} to {most} (for an input of {input.size()[around:]})")
        return [size - low for size, low in zip(wanted, least)]


class ConvTranspose1d(_TransposedConvolution):
    _count = 1
    _function = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_TransposedConvolution):
    _count = 2
    _function = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_TransposedConvolution):
    _count = 3
    _function = staticmethod(F.conv_transpose3d)

"""Modules that learn the sizes of their inputs from the first one.

    layer = nn.LazyLinear(10)
    layer(torch.randn(4, 7))       # from now on a Linear(in_features=7, out_features=10)

Until then their parameters are empty; what holds them, an optimiser say, goes on with them.
"""
import torch
from torch.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from torch.nn.modules.conv import (
    Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
from torch.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy, materialize


class LazyModuleMixin:
    """`cls_to_become` is what it is once `initialize_parameters` has seen an input."""
    cls_to_become = None

    def has_uninitialized_params(self):
        return any([is_lazy(each) for each in (*self._parameters.values(), *self._buffers.values())])

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def reset_parameters(self):
        """Draws nothing as long as there is nothing to fill."""
        if not self.has_uninitialized_params() and self._known():
            super().reset_parameters()

    def __call__(self, *args, **kwargs):
        self.initialize_parameters(*args, **kwargs)
        if self.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become
        return Module.__call__(self, *args, **kwargs)


class LazyLinear(LazyModuleMixin, Linear):
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            delattr(self, "bias")
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def _known(self):
        return self.in_features != 0

    def initialize_parameters(self, input):
        if self.in_features == 0:
            self.in_features = input.shape[-1]
        if self.has_uninitialized_params():
            materialize(self.weight, (self.out_features, self.in_features))
            if self.bias is not None:
                materialize(self.bias, (self.out_features,))
            self.reset_parameters()


class _LazyConvolution(LazyModuleMixin):
    def __init__(self, out_channels, kernel_size, *args, **kwargs):
        made = {"device": kwargs.get("device"), "dtype": kwargs.get("dtype")}
        super().__init__(0, out_channels, kernel_size, *args, **kwargs)
        has_bias = self.bias is not None
        self.weight = UninitializedParameter(**made)
        if has_bias:
            self.bias = UninitializedParameter(**made)

    def _known(self):
        return self.in_channels != 0

    def initialize_parameters(self, input, *args, **kwargs):
        rank = self._count + 1  # of one example
        if input.dim() not in (rank, rank + 1):
            raise RuntimeError(f"Expected {rank}D (unbatched) or {rank + 1}D (batched) input to "
                               f"{type(self).__name__}, but got input of size: {input.shape}")
        if self.in_channels == 0:
            self.in_channels = input.shape[-rank]
        if not self.has_uninitialized_params():
            return
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        first, second = self.out_channels, self.in_channels
        if self._transposed:
            first, second = second, first
        materialize(self.weight, (first, second // self.groups, *self.kernel_size))
        if self.bias is not None:
            materialize(self.bias, (self.out_channels,))
        self.reset_parameters()


class _LazyNorm(LazyModuleMixin):
    def __init__(self, *args, **kwargs):
        made = {"device": kwargs.get("device"), "dtype": kwargs.get("dtype")}
        super().__init__(0, *args, **kwargs)
        for name in ("weight", "bias"):
            if getattr(self, name) is not None:
                setattr(self, name, UninitializedParameter(**made))
        for name in ("running_mean", "running_var"):
            if getattr(self, name) is not None:
                setattr(self, name, UninitializedBuffer(**made))

    def _known(self):
        return self.num_features != 0

    def initialize_parameters(self, input):
        if self.num_features == 0:
            self.num_features = input.shape[1]
        if not self.has_uninitialized_params():
            return
        for each in (self.weight, self.bias, self.running_mean, self.running_var):
            if each is not None:
                materialize(each, (self.num_features,))
        self.reset_parameters()


class LazyConv1d(_LazyConvolution, Conv1d):
    cls_to_become = Conv1d


class LazyConv2d(_LazyConvolution, Conv2d):
    cls_to_become = Conv2d


class LazyConv3d(_LazyConvolution, Conv3d):
    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvolution, ConvTranspose1d):
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvolution, ConvTranspose2d):
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvolution, ConvTranspose3d):
    cls_to_become = ConvTranspose3d


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    cls_to_become = BatchNorm3d


class _LazyInstanceNorm(_LazyNorm):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(eps, momentum, affine, track_running_stats, device=device, dtype=dtype)


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    cls_to_become = InstanceNorm3d

"""Pooling that few scripts use: of volumes, by a norm, and back from the greatest elements.

    max_pool3d(x, 2), avg_pool3d(x, 2)        windows of 2 by 2 by 2
    lp_pool2d(x, 2, 3)                        the root of the sum of squares in each 3 by 3
    values, places = max_pool2d(x, 2, return_indices=True)
    max_unpool2d(values, places, 2)           the values back at their places, 0 everywhere else
"""
import math
import torch
from torch._output import scalar_name
from torch.nn._windows import (
    _average_pooled, _check_numbers, _max_pool, _refuse, _tuple, avg_pool1d, avg_pool2d, max_pool1d,
    max_pool2d)


def _three(function, what, value):
    given = _tuple(value, 3)
    if len(given) not in (1, 3):
        must = "either " if function == "max_pool3d" else ""
        must = {"stride": f"must {must}be omitted, a single int",
                "dilation": "must be either a single int"}.get(what, f"must {must}be a single int")
        raise RuntimeError(f"{function}: {what} {must}, or a tuple of three ints")
    return given if len(given) == 3 else given * 3


def _shape_in_volume(function, input, kernel_size, stride, padding, dilation=1):
    kernel = _three(function, "kernel_size", kernel_size)
    step = kernel if stride in (None, (), []) else _three(function, "stride", stride)
    padding = _three(function, "padding", padding)
    dilation = _three(function, "dilation", dilation)
    if input.dim() not in (4, 5):
        raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
    where = "avg_pool3d" if function == "avg_pool3d" else "max_pool3d_with_indices_out_cpu_template"
    for dim in range(input.dim() - 4, input.dim()):
        if input.size(dim) == 0:
            raise RuntimeError(f"{where}(): Expected input to have non-zero size for non-batch "
                               f"dimensions, but input has sizes {list(input.shape)} with "
                               f"dimension {dim} being empty")
    shape = kernel, step, padding, dilation
    _check_numbers(shape)
    return shape


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    """The greatest element of each window."""
    shape = _shape_in_volume("max_pool3d", input, kernel_size, stride, padding, dilation)
    if input.dtype == torch.bool:
        _refuse("max_pool3d", input)
    return _max_pool(3, input, shape, ceil_mode, return_indices)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False,
               count_include_pad=True, divisor_override=None):
    """The mean of each window."""
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    shape = _shape_in_volume("avg_pool3d", input, kernel_size, stride, padding)
    kernel = shape[0]
    if any([size < reach for size, reach in zip(input.shape[-3:], kernel)]):
        depth, height, width = input.shape[-3:]
        raise RuntimeError(f"input image (T: {depth} H: {height} W: {width}) smaller than kernel "
                           f"size (kT: {kernel[0]} kH: {kernel[1]} kW: {kernel[2]})")
    if input.dtype not in (torch.float32, torch.float64, torch.bfloat16, torch.int64):
        _refuse("avg_pool3d_out_frame", input)
    return _average_pooled(3, input, shape, ceil_mode, count_include_pad, divisor_override)


def _norm_pool(count, average, greatest, input, norm_type, kernel_size, stride, ceil_mode):
    if norm_type == 0:
        raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
    if norm_type == math.inf:
        return greatest(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if norm_type == -math.inf:
        return -greatest(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    mean = average(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    size = math.prod(_tuple(kernel_size, count))
    return (torch.sign(mean) * torch.relu(torch.abs(mean)) * size).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of each window."""
    return _norm_pool(1, avg_pool1d, max_pool1d, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of each window."""
    return _norm_pool(2, avg_pool2d, max_pool2d, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of each window."""
    return _norm_pool(3, avg_pool3d, max_pool3d, input, norm_type, kernel_size, stride, ceil_mode)


def _size_before(input, kernel, stride, padding, output_size):
    """The sizes that pooling has had before it; they are unknown up to a stride."""
    count = len(kernel)
    sizes = [(size - 1) * step - 2 * pad + reach for size, step, pad, reach
             in zip(input.shape[-count:], stride, padding, kernel)]
    if output_size is None:
        return sizes
    wanted = list(output_size)
    if len(wanted) == count + 2:
        wanted = wanted[2:]
    if len(wanted) != count:
        raise ValueError(f"output_size should be a sequence containing {count} or {count + 2} "
                         f"elements, but it has a length of '{len(wanted)}'")
    for dim, (size, step, given) in enumerate(zip(sizes, stride, wanted)):
        if not size - step < given < size + step:
            raise ValueError(f'invalid output_size "{tuple(wanted)}" (dim {dim} must be between '
                             f"{size - step} and {size + step})")
    return wanted


def _unpooled(count, input, indices, kernel_size, stride, padding, output_size):
    kernel = _tuple(kernel_size, count)
    step = kernel if stride is None else _tuple(stride, count)
    sizes = _size_before(input, kernel, step, _tuple(padding, count), output_size)
    if indices.dtype != torch.int64:
        raise RuntimeError("elements in indices should be type int64 but got: "
                           f"{scalar_name(indices)}")
    if indices.shape != input.shape:
        raise RuntimeError("Expected shape of indices to be same as that of the input tensor "
                           f"({list(input.shape)}) but got indices tensor with shape: "
                           f"{list(indices.shape)}")
    outer = list(input.shape[:-count])
    room = input.new_zeros(outer + [math.prod(sizes)])
    return room.scatter(-1, indices.flatten(-count), input.flatten(-count)).view(outer + sizes)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Elements at the places that `max_pool1d(..., return_indices=True)` gives, zeros elsewhere."""
    return _unpooled(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Elements at the places that `max_pool2d(..., return_indices=True)` gives, zeros elsewhere."""
    return _unpooled(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Elements at the places that `max_pool3d(..., return_indices=True)` gives, zeros elsewhere."""
    return _unpooled(3, input, indices, kernel_size, stride, padding, output_size)

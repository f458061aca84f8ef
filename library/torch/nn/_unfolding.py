"""Windows of an image as columns, and columns added up to an image.

    unfold(x, 2)               [N, C, H, W] to [N, C * 4, windows]: a column for each 2 by 2
    fold(columns, (H, W), 2)   each element back to its place; where windows overlap, their sum
"""
import torch
from torch._output import own, scalar_name
from torch.nn._windows import _padded

_NAMES = ("kernel size", "dilation", "padding", "stride")
_SHORT = ("kernel", "dilation", "pad", "stride")


def _windows(input, kernel, stride, dilation):
    """The last dimensions become windows; each has its own new dimension at the end."""
    first = input.dim() - len(kernel)
    for i, (size, step, apart) in enumerate(zip(kernel, stride, dilation)):
        reach = (size - 1) * apart + 1
        if input.size(first + i) < reach:
            raise RuntimeError("Kernel size can't be greater than actual input size")
        input = input.unfold(first + i, reach, step)
        if apart > 1:
            input = input[..., ::apart]
    return input


def _pair(name, value):
    if isinstance(value, int):
        return (value, value)
    if len(value) != 2:
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(value)}")
    return tuple(value)


def _shape(kernel_size, dilation, padding, stride):
    shape = (_pair("kernel_size", kernel_size), _pair("dilation", dilation),
             _pair("padding", padding), _pair("stride", stride))
    for place in (0, 3, 1, 2):
        least = 0 if place == 2 else 1
        height, width = shape[place]
        if height < least or width < least:
            must = "greater than zero" if least else "non-negative"
            raise RuntimeError(f"{_NAMES[place]} should be {must}, but got {_SHORT[place]}_height: "
                               f"{height} {_SHORT[place]}_width: {width}")
    return shape


def _counts(sizes, kernel, dilation, padding, stride):
    """How many windows there are along each dimension."""
    return tuple([(size + 2 * pad - apart * (reach - 1) - 1) // step + 1
                  for size, reach, apart, pad, step in zip(sizes, kernel, dilation, padding, stride)])


def _check_dtype(input, function):
    if not input.is_floating_point() and input.dtype != torch.bool:
        raise NotImplementedError(f'"{function}_out_cpu" not implemented for \'{scalar_name(input)}\'')


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """A column of each window of an image."""
    kernel, dilation, padding, stride = _shape(kernel_size, dilation, padding, stride)
    if input.dim() not in (3, 4) or 0 in input.shape[-3:]:
        input.size(1), input.size(2)  # which say so themselves if there are none
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and "
                           "other non-zero dimensions for input, but got: "
                           f"{list(input.shape)}")
    sizes = tuple(input.shape[-2:])
    counts = _counts(sizes, kernel, dilation, padding, stride)
    if min(counts) < 1:
        raise RuntimeError(f"Given input with spatial size {sizes}, kernel_size={kernel}, "
                           f"dilation={dilation}, padding={padding}, calculated shape of the array "
                           f"of sliding blocks as {counts}, but its components must be at least "
                           "one.")
    _check_dtype(input, "im2col")
    images = input if input.dim() == 4 else input.unsqueeze(0)
    windows = _windows(_padded(images, padding, 0), kernel, stride, dilation)
    rows = images.size(1) * kernel[0] * kernel[1]
    columns = windows.permute(0, 1, 4, 5, 2, 3).reshape(images.size(0), rows, counts[0] * counts[1])
    columns = own(columns)
    return columns if input.dim() == 4 else columns.squeeze(0)


def _places(counts, kernel, dilation, stride, width, device):
    """Where each element of a column is in an image whose rows are that wide."""
    def along(dim):
        inner = torch.arange(kernel[dim], device=device) * dilation[dim]
        outer = torch.arange(counts[dim], device=device) * stride[dim]
        return inner, outer

    (rows, first_rows), (columns, first_columns) = along(0), along(1)
    row = rows.view(-1, 1, 1, 1) + first_rows.view(1, 1, -1, 1)
    column = columns.view(1, -1, 1, 1) + first_columns.view(1, 1, 1, -1)
    return (row * width + column).reshape(-1)


def _check_columns(input, sizes, shape, counts):
    kernel, dilation, padding, stride = shape
    if input.dim() not in (2, 3) or 0 in input.shape[-2:]:
        raise RuntimeError("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch "
                           "size and non-zero dimensions for input, but got: "
                           f"{list(input.shape)}")
    first = input.dim() - 2
    rows, count = input.shape[-2:]
    if rows % (kernel[0] * kernel[1]) != 0:
        raise RuntimeError(f"Expected size of input's dimension {first} to be divisible by the "
                           f"product of kernel_size, but got input.size({first})={rows} and "
                           f"kernel_size={kernel}.")
    if count != counts[0] * counts[1] or min(counts) < 1:
        raise RuntimeError(f"Given output_size={sizes}, kernel_size={kernel}, dilation={dilation}, "
                           f"padding={padding}, stride={stride}, expected size of input's dimension "
                           f"{first + 1} to match the calculated number of sliding blocks "
                           f"{counts[0]} * {counts[1]} = {counts[0] * counts[1]}, but got "
                           f"input.size({first + 1})={count}.")


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """An image of the columns of its windows: what falls on one place is added."""
    sizes = _pair("output_size", output_size)
    shape = kernel, dilation, padding, stride = _shape(kernel_size, dilation, padding, stride)
    counts = _counts(sizes, kernel, dilation, padding, stride)
    _check_columns(input, sizes, shape, counts)
    _check_dtype(input, "col2im")
    columns = input if input.dim() == 3 else input.unsqueeze(0)
    if input.dtype == torch.bool:
        columns = columns.long()
    channels = columns.size(1) // (kernel[0] * kernel[1])
    height, width = sizes[0] + 2 * padding[0], sizes[1] + 2 * padding[1]
    places = _places(counts, kernel, dilation, stride, width, input.device)
    parts = columns.reshape(columns.size(0), channels, places.numel())
    image = columns.new_zeros((columns.size(0), channels, height * width))
    image = image.index_add(2, places, parts).view(columns.size(0), channels, height, width)
    if any(padding):
        image = image[:, :, padding[0]:height - padding[0], padding[1]:width - padding[1]]
        image = image.contiguous()
    if input.dtype == torch.bool:
        image = image.bool()
    return image if input.dim() == 3 else image.squeeze(0)

"""Functions of `torch.nn.functional` that look through windows: convolutions and pooling.

    conv1d(x, w)         windows of x along its last dimension, times w
    max_pool1d(x, 3)     the greatest element of each

A convolution is `torch.convolution`; pooling is `torch._max_pool` and `torch._window_sum`.
"""
import math
import torch
from torch._output import scalar_name
from torch.nn._parts import means_of_parts


def _tuple(value, count):
    return (value,) * count if isinstance(value, int) else tuple(value)


def _wrong_length(function, what, count, got):
    if function == "max_pool1d":
        rest = {"stride": "None, an int, list of ints,", "padding": "an int, list of ints,"}
        return (f"max_pool1d() {what} must be {rest.get(what, 'an int, list of ints')} or tuple of "
                f"ints of size 1 but got size {len(got)}")
    if function == "avg_pool1d":
        return f"avg_pool1d() argument '{what}' should contain one int (got {len(got)})"
    if function in ("max_pool2d", "avg_pool2d"):
        must = {"stride": "either be omitted,", "dilation": "be either"}.get(what, "either be")
        return f"{function}: {what} must {must} a single int, or a tuple of two ints"
    return (f"expected {what} to be a single integer value or a list of {count} values to match "
            f"the convolution dimensions, but got {what}={list(got)}")


def _each(function, what, value, count):
    """A number for each dimension, of which one may be given for all."""
    given = _tuple(value, count)
    if len(given) not in (1, count):
        raise RuntimeError(_wrong_length(function, what, count, given))
    return given if len(given) == count else given * count


def _shape_of_windows(function, count, kernel_size, stride, padding, dilation=1):
    """Kernel, stride, padding and dilation of pooling; without a stride it is the kernel's size."""
    kernel = _each(function, "kernel_size", kernel_size, count)
    step = kernel if stride in (None, (), []) else _each(function, "stride", stride, count)
    return (kernel, step, _each(function, "padding", padding, count),
            _each(function, "dilation", dilation, count))


def _padded(input, padding, value):
    pads = []
    for size in reversed(padding):
        pads += [size, size]
    return torch.nn.functional.pad(input, pads, value=value) if any(pads) else input


def _convolution(name, count, input, weight, bias, stride, padding, dilation, groups):
    if input.dim() not in (count + 1, count + 2):
        raise RuntimeError(
            f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {name}, but got "
            f"input of size: {list(input.shape)}")
    single = input.dim() == count + 1
    if single:
        input = input.unsqueeze(0)
    if input.size(1) != weight.size(1) * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {weight.size(1) * groups} channels, but got "
            f"{input.size(1)} channels instead")
    stride = _each(name, "stride", stride, count)
    dilation = _each(name, "dilation", dilation, count)
    if padding == "valid":
        padding = 0
    if padding == "same":
        if any([step != 1 for step in stride]):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        pads = []
        for size, apart in reversed(list(zip(weight.shape[2:], dilation))):
            total = (size - 1) * apart
            pads += [total // 2, total - total // 2]
        input, padding = torch.nn.functional.pad(input, pads), 0
    elif isinstance(padding, str):
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    result = torch.convolution(input, weight, bias, stride, _each(name, "padding", padding, count),
                               dilation, False, (0,) * count, groups)
    return result.squeeze(0) if single else result


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows of a signal times weights."""
    return _convolution("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows of an image times weights."""
    return _convolution("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows of a volume times weights."""
    return _convolution("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def _transposed(name, count, input, weight, bias, stride, padding, output_padding, groups,
                dilation):
    if input.dim() not in (count + 1, count + 2):
        raise RuntimeError(
            f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {name}, but got "
            f"input of size: {list(input.shape)}")
    single = input.dim() == count + 1
    if single:
        input = input.unsqueeze(0)
    result = torch._transposed_convolution(
        input, weight, bias, _each(name, "stride", stride, count),
        _each(name, "padding", padding, count),
        _each(name, "output_padding", output_padding, count), groups,
        _each(name, "dilation", dilation, count))
    return result.squeeze(0) if single else result


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    """Each element times weights, added where a convolution's window would have seen it."""
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding,
                       groups, dilation)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    """Each element times weights, added where a convolution's window would have seen it."""
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding,
                       groups, dilation)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    """Each element times weights, added where a convolution's window would have seen it."""
    return _transposed("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding,
                       groups, dilation)


def _refuse(function, input):
    raise NotImplementedError(f'"{function}" not implemented for \'{scalar_name(input)}\'')


def _as_image(sizes, count):
    """The sizes of a signal are those of an image of one row, as messages have it."""
    sizes = list(sizes)
    return sizes if count > 1 else sizes[:-1] + [1] + sizes[-1:]


def _has_channels(input, count):
    """An example, or any number of them, of which each has elements."""
    return input.dim() in (count + 1, count + 2) and 0 not in input.shape[-1 - count:]


def _check_signal(input, function):
    if input.dim() not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor "
                           f"for argument #1 'self' (while checking arguments for {function})")


def _check_images(input, count):
    if input.dim() < count + 1:
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    if not _has_channels(input, count):
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size "
                           f"for input, but got:{_as_image(input.shape, count)}")


def _beyond(input, shape):
    """By dimension, how far the last window reaches behind the padding where it may: it begins
    within the input or the padding before it."""
    reaches = []
    first = input.dim() - len(shape[0])
    for i, (size, step, pad, apart) in enumerate(zip(*shape)):
        given, reach = input.size(first + i), (size - 1) * apart + 1
        places = -(-(given + 2 * pad - reach) // step) + 1
        if (places - 1) * step >= given + pad:
            places -= 1
        reaches.append(max(0, (places - 1) * step + reach - given - 2 * pad))
    return reaches


def _places(input, shape, behind):
    """By dimension, how many windows there are; less than 1 where there is no room for one."""
    given = input.shape[-len(behind):]
    return [(size + pad + end - (reach - 1) * apart - 1) // step + 1
            for size, end, reach, step, pad, apart in zip(given, behind, *shape)]


def _check_places(input, places):
    if min(places) >= 1:
        return
    count = len(places)
    given = _as_image(input.shape[-1 - count:], count)
    got = _as_image([input.size(-1 - count), *places], count)
    given, got = ["x".join([str(size) for size in sizes]) for sizes in (given, got)]
    raise RuntimeError(f"Given input size: ({given}). Calculated output size: ({got}). Output size "
                       "is too small")


def _by_direction(numbers, prefix):
    """As messages have numbers for dimensions; a signal is an image of one row."""
    numbers = (1, *numbers) if len(numbers) == 1 else numbers
    names = "THW"[-len(numbers):]
    return " ".join([f"{prefix}{name}: {each}" for name, each in zip(names, numbers)])


def _check_numbers(shape):
    kernel, stride, padding, dilation = shape
    if 0 in stride:
        raise RuntimeError("stride should not be zero")
    if min(padding) < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {min(padding)}")
    for size, pad, apart in zip(kernel, padding, dilation):
        if pad > max(0, ((size - 1) * apart + 1) // 2):
            raise RuntimeError("pad should be at most half of effective kernel size, but got "
                               f"pad={pad}, kernel_size={size} and dilation={apart}")
    for what, prefix, numbers in (("kernel size", "k", kernel), ("stride", "d", stride),
                                  ("dilation", "dilation", dilation)):
        if min(numbers) < 1:
            raise RuntimeError(f"{what} should be greater than zero, but got "
                               f"{_by_direction(numbers, prefix)}")


def _ends(input, shape, ceil_mode):
    """By dimension, how far windows reach before the input, and behind."""
    _check_numbers(shape)
    behind = shape[2]
    if ceil_mode:
        behind = [pad + beyond for pad, beyond in zip(shape[2], _beyond(input, shape))]
    _check_places(input, _places(input, shape, behind))
    return shape[2], behind


def _check_signal_windows(input, shape, ceil_mode):
    """What `max_pool1d` words by itself where nobody asks for places."""
    (size,), (step,), (pad,), (apart,) = shape
    for what, number in (("kernel_size", size), ("stride", step), ("dilation", apart)):
        if number < 1:
            raise RuntimeError(f"max_pool1d() {what} must be greater than zero, but got {number}")
    if pad < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {pad}")
    if pad > size // 2:
        raise RuntimeError("max_pool1d() padding should be at most half of kernel size, but got "
                           f"padding={pad} and kernel_size={size}")
    room = input.size(-1) + 2 * pad - (size - 1) * apart - 1
    places = (-(-room // step) if ceil_mode else room // step) + 1
    if places < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {places}")


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    """The greatest element of each window."""
    if not _has_channels(input, 1):
        raise RuntimeError("max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim "
                           f"batch size for input, but got:{list(input.shape)}")
    shape = _shape_of_windows("max_pool1d", 1, kernel_size, stride, padding, dilation)
    if return_indices:
        if input.dtype == torch.bool:
            _refuse("max_pool2d", input)
    else:
        _check_signal_windows(input, shape, ceil_mode)
        if not input.is_floating_point():
            _refuse("max_pool1d_impl", input)
    return _max_pool(1, input, shape, ceil_mode, return_indices)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    """The greatest element of each window."""
    shape = _shape_of_windows("max_pool2d", 2, kernel_size, stride, padding, dilation)
    _check_images(input, 2)
    if input.dtype == torch.bool:
        _refuse("max_pool2d", input)
    return _max_pool(2, input, shape, ceil_mode, return_indices)


def _max_pool(count, input, shape, ceil_mode, return_indices):
    kernel, stride, _, dilation = shape
    before, behind = _ends(input, shape, ceil_mode)
    greatest, indices = torch._max_pool(input, kernel, stride, before, behind, dilation)
    return (greatest, indices) if return_indices else greatest


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False,
               count_include_pad=True):
    """The mean of each window."""
    _check_signal(input, "avg_pool1d")
    shape = _shape_of_windows("avg_pool1d", 1, kernel_size, stride, padding)
    return _average_pool(1, input, shape, ceil_mode, count_include_pad, None)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False,
               count_include_pad=True, divisor_override=None):
    """The mean of each window."""
    shape = _shape_of_windows("avg_pool2d", 2, kernel_size, stride, padding)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    return _average_pool(2, input, shape, ceil_mode, count_include_pad, divisor_override)


def _average_pool(count, input, shape, ceil_mode, count_include_pad, divisor_override):
    _check_images(input, count)
    if not input.is_floating_point() and input.dtype != torch.int64:
        _refuse("avg_pool2d", input)
    return _average_pooled(count, input, shape, ceil_mode, count_include_pad, divisor_override)


def _average_pooled(count, input, shape, ceil_mode, count_include_pad, divisor_override):
    kernel, stride, padding, _ = shape
    before, behind = _ends(input, shape, ceil_mode)

    def sums(of):
        return torch._window_sum(of, kernel, stride, before, behind)

    if input.dtype in (torch.bfloat16, torch.float16):  # rounded once, when all is done
        means = _average_pooled(count, input.float(), shape, ceil_mode, count_include_pad,
                                divisor_override)
        return means.to(input.dtype)
    divisor = divisor_override
    if divisor is None and (not count_include_pad or ceil_mode):
        # What lies behind the padding is of no window; the padding is, where it counts.
        ones = input.new_ones(input.shape[-count:])
        if count_include_pad:
            divisor = torch._window_sum(_padded(ones, padding, 1), kernel, stride, (0,) * count,
                                        [end - pad for end, pad in zip(behind, padding)])
        else:
            divisor = sums(ones)
    elif divisor is None:
        divisor = math.prod(kernel)
    whole = not input.is_floating_point()
    return torch.div(sums(input), divisor, rounding_mode="trunc" if whole else None)


def _check_adaptive(input, wanted, count):
    if all([each == 1 for each in wanted]):
        return  # a mean of anything
    sizes, wanted = _as_image(input.shape, count), wanted if count == 2 else [1] + wanted
    if len(sizes) not in (3, 4):
        raise RuntimeError(f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {sizes}")
    if any([each < 0 for each in wanted]):
        raise RuntimeError("adaptive_avg_pool2d: elements of output_size must be greater than or "
                           f"equal to 0 but received {{{wanted[0]}, {wanted[1]}}}")
    for dim in (-2, -1):
        if sizes[dim] == 0:
            raise RuntimeError("adaptive_avg_pool2d(): Expected input to have non-zero size for "
                               f"non-batch dimensions, but input has sizes {sizes} with dimension "
                               f"{len(sizes) + dim} being empty")
    if not input.is_floating_point() and input.numel() > 0 and 0 not in wanted:
        _refuse("adaptive_avg_pool2d", input)


def _adaptive(input, output_size, count):
    sizes = _tuple(output_size, count)
    first = input.dim() - count
    sizes = [input.size(first + i) if wanted is None else wanted for i, wanted in enumerate(sizes)]
    _check_adaptive(input, sizes, count)
    return means_of_parts(input, sizes, count)


def adaptive_avg_pool1d(input, output_size):
    """The means of so many parts of about equal size."""
    _check_signal(input, "adaptive_avg_pool1d")
    return _adaptive(input, output_size, 1)


def adaptive_avg_pool2d(input, output_size):
    """The means of so many parts of about equal size, in both dimensions."""
    return _adaptive(input, output_size, 2)

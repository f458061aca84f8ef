"""In which order the elements of a tensor lie: `torch.channels_last`, and calls with `memory_format=`.

    x.to(memory_format=torch.channels_last)      the same images; the channels of a pixel side by side

The interpreter hands a call that names a memory format to the function in `forms` of its name. The
operator itself knows strides only, so the result is brought into order behind it.
"""
import torch


class memory_format:
    """An order of elements; `torch.contiguous_format` and its like are the only ones."""

    __module__ = "torch"

    def __init__(self, name, order=None):
        self._name = name
        self._order = order  # the dimensions, the one of the longest stride first

    def __repr__(self):
        return "torch." + self._name


preserve_format = memory_format("preserve_format")
contiguous_format = memory_format("contiguous_format")
channels_last = memory_format("channels_last", (0, 2, 3, 1))
channels_last_3d = memory_format("channels_last_3d", (0, 2, 3, 4, 1))


def _check(name, format, may_be_none=True):
    if not (isinstance(format, memory_format) or (may_be_none and format is None)):
        raise TypeError(f"{name}(): argument 'memory_format' must be torch.memory_format, not "
                        f"{type(format).__name__}")


def _lies_in(tensor, format):
    if format._order is None:
        return tensor.is_contiguous()
    return tensor.dim() == len(format._order) and tensor.permute(format._order).is_contiguous()


def _brought_into(tensor, format):
    """A tensor of the same elements in that order; itself where they lie so."""
    if format._order is None:
        return tensor.contiguous()
    rank = len(format._order)
    if tensor.dim() != rank:
        raise RuntimeError(f"required rank {rank} tensor to use {format._name} format")
    if _lies_in(tensor, format):
        return tensor
    back = [format._order.index(dim) for dim in range(rank)]
    return tensor.permute(format._order).contiguous().permute(back)


def _keeps(format):
    return format is None or format is preserve_format


def _converting(name):
    """A method that gives the tensor itself where it has nothing to do."""
    method = getattr(torch.Tensor, name)

    def convert(input, *args, memory_format=None, **kwargs):
        _check(name, memory_format)
        result = method(input, *args, **kwargs)
        is_last = any(_lies_in(input, each) for each in (channels_last, channels_last_3d))
        in_order = input.is_contiguous() or not is_last
        unchanged = result is input and memory_format is contiguous_format and in_order
        if _keeps(memory_format) or unchanged:
            return result
        return _brought_into(result, memory_format)

    return convert


def _making(name):
    """A function that makes a tensor, which its elements do not depend on."""
    function = getattr(torch, name)

    def make(*args, memory_format=None, **kwargs):
        _check(name, memory_format)
        result = function(*args, **kwargs)
        if _keeps(memory_format):
            return result
        laid = _brought_into(result.detach(), memory_format)
        return laid.requires_grad_() if result.requires_grad else laid

    return make


_empty = _making("empty")


def empty(*args, memory_format=None, **kwargs):
    if memory_format is preserve_format:
        raise RuntimeError("unsupported memory format Preserve")
    return _empty(*args, memory_format=memory_format, **kwargs)


def clone(input, *, memory_format=None):
    _check("clone", memory_format)
    copy = torch.clone(input)
    return copy if _keeps(memory_format) else _brought_into(copy, memory_format)


def contiguous(input, *, memory_format):
    _check("contiguous", memory_format, may_be_none=False)
    if memory_format is preserve_format:
        if input.is_contiguous():
            return input
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return _brought_into(input, memory_format)


def is_contiguous(input, *, memory_format):
    _check("is_contiguous", memory_format, may_be_none=False)
    return _lies_in(input, memory_format)


_CONVERSIONS = ("to", "cpu", "cuda", "float", "double", "half", "bfloat16", "long", "int", "short",
                "char", "byte", "bool")
_MAKERS = ("zeros_like", "ones_like", "full_like", "empty_like", "rand_like", "randn_like")

# What takes `memory_format=`, by name: the interpreter looks here.
forms = {"empty": empty, "clone": clone, "contiguous": contiguous, "is_contiguous": is_contiguous}
forms.update((name, _converting(name)) for name in _CONVERSIONS)
forms.update((name, _making(name)) for name in _MAKERS)

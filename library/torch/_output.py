"""The `out=` of functions that are written here: checked as PyTorch checks it, resized, written.

    def histc(input, ..., out=None):
        ...
        return counts if out is None else write(out, counts, "the dtypes must agree")
"""
import warnings

import torch

_CPP_NAMES = {
    torch.float32: "float", torch.float64: "double", torch.int64: "long int", torch.int32: "int",
    torch.int16: "short int", torch.int8: "signed char", torch.uint8: "unsigned char",
    torch.bool: "bool", torch.bfloat16: "c10::BFloat16", torch.float16: "c10::Half",
}


def write(out, result, refusal):
    """`out` with the result in it; `refusal` is what a dtype that differs raises."""
    if out.dtype != result.dtype:
        raise RuntimeError(refusal)
    return resized(out, result.shape).copy_(result)


def resized(out, shape):
    """`out` with that shape."""
    before = list(out.shape)
    if before != list(shape):
        out.resize_(shape)
        warn_of_resize(before, list(shape))
    return out


def warn_of_resize(before, after):
    """Operators call it too, once they have written. An output without elements is there to be resized."""
    if 0 in before:
        return
    warnings.warn(
        f"An output with one or more elements was resized since it had shape {before}, which does not "
        f"match the required output shape {after}. This behavior is deprecated, and in a future PyTorch "
        "release outputs will not be resized unless they have zero elements. You can explicitly reuse an "
        "out tensor t by resizing it, inplace, to zero elements with t.resize_(0).")


def wrong_type(function, place, name, wanted, given):
    """What is raised of an argument of another type."""
    return TypeError(f"{function}(): argument '{name}' (position {place}) must be {wanted}, not {type(given).__name__}")


def cpp_name(dtype):
    """A dtype as messages from C++ templates name it."""
    return _CPP_NAMES[dtype]


def scalar_name(tensor):
    """A tensor's dtype as PyTorch's messages name it: Float, Long, on any device."""
    return tensor.type().split(".")[-1][:-6]


def own(result):
    """Of what was reshaped: memory of its own, where that has left a view of the argument."""
    return result.clone() if result._is_view() else result

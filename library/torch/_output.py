"""The `out=` of functions that are written here: checked as PyTorch checks it, resized, written.

    def histc(input, ..., out=None):
        ...
        return counts if out is None else write(out, counts, "the dtypes must agree")
"""
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
    if out.shape != result.shape:
        out.resize_(result.shape)
    return out.copy_(result)


def cpp_name(dtype):
    """A dtype as messages from C++ templates name it."""
    return _CPP_NAMES[dtype]


def scalar_name(tensor):
    """A tensor's dtype as PyTorch's messages name it: Float, Long, on any device."""
    return tensor.type().split(".")[-1][:-6]

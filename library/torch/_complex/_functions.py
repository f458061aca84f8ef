"""Functions of the elements of complex tensors, each by the functions of real numbers that it is made of.

    exp(a + bi) = exp(a) (cos b + i sin b)
    log(z)      = log|z| + i angle(z)
"""
import math

import torch
from torch._complex._arithmetic import _logarithm_of_size, div, mul, reciprocal, sub
from torch._complex._dtypes import of_real
from torch._complex._tensor import Tensor, as_complex, join, parts, wrap
from torch._output import wrong_type


def abs(input):
    # A norm has the derivative 0 at 0, as PyTorch's has.
    return torch.linalg.vector_norm(input._pairs, 2, -1)


def angle(input):
    """The angles, from -pi to pi; of negative real numbers pi."""
    a, b = parts(input)
    if b is None:
        a = a if a.is_floating_point() else a.to(torch.get_default_dtype())
        return torch.where(a.isnan(), a, torch.zeros_like(a).masked_fill(a < 0, torch.pi))
    return torch.atan2(b, a)


def _need_tensor(function, input):
    if not isinstance(input, torch.Tensor):
        raise wrong_type(function, 1, "input", "Tensor", input)


def conj(input):
    """With the other sign of the imaginary parts."""
    _need_tensor("conj", input)
    a, b = parts(input)
    return input if b is None else join(a, -b)


def conj_physical(input):
    """The same as `conj`."""
    _need_tensor("conj_physical", input)
    return conj(input)


def resolve_conj(input):
    """The tensor itself: none waits to be conjugated."""
    _need_tensor("resolve_conj", input)
    return input


def is_conj(input):
    """False: `conj` computes at once."""
    return False


def alias(input):
    return wrap(input._pairs.view(input._pairs.shape))


def real(input):
    """The real parts, a view; a real tensor itself."""
    _need_tensor("real", input)
    return input.real


def imag(input):
    """The imaginary parts, a view."""
    _need_tensor("imag", input)
    return input.imag


def sgn(input):
    size = abs(input).unsqueeze(-1)
    return wrap(torch.where(size == 0, torch.zeros_like(input._pairs), input._pairs / size))


def _polar(size, angle):
    return join(size * torch.cos(angle), size * torch.sin(angle))


def exp(input):
    a, b = parts(input)
    return _polar(torch.exp(a), b)


def expm1(input):
    return sub(exp(input), 1)


def log(input):
    a, b = parts(input)
    return join(_logarithm_of_size(a, b), torch.atan2(b, a))


def log2(input):
    return div(log(input), math.log(2))


def log10(input):
    return div(log(input), math.log(10))


def log1p(input):
    return log(input + 1)


def sqrt(input):
    """Of the two roots, that with the positive real part, without loss where the parts differ in size."""
    a, b = parts(input)
    size = torch.sqrt((abs(input) + a.abs()) * 0.5)
    rest = torch.where(size == 0, torch.zeros_like(b), b / (size * 2))
    right = a >= 0
    return join(torch.where(right, size, rest.abs()), torch.where(right, rest, torch.copysign(size, b)))


def rsqrt(input):
    return reciprocal(sqrt(input))


def sin(input):
    a, b = parts(input)
    return join(torch.sin(a) * torch.cosh(b), torch.cos(a) * torch.sinh(b))


def cos(input):
    a, b = parts(input)
    return join(torch.cos(a) * torch.cosh(b), -torch.sin(a) * torch.sinh(b))


def tan(input):
    return div(sin(input), cos(input))


def sinh(input):
    a, b = parts(input)
    return join(torch.sinh(a) * torch.cos(b), torch.cosh(a) * torch.sin(b))


def cosh(input):
    a, b = parts(input)
    return join(torch.cosh(a) * torch.cos(b), torch.sinh(a) * torch.sin(b))


def tanh(input):
    """In tangents, which do not overflow."""
    a, b = parts(input)
    x, y, inverse = torch.tanh(a), torch.tan(b), 1 / torch.cosh(a)
    divisor = 1 + (x * y) * (x * y)
    return join(x * (1 + y * y) / divisor, (y / divisor) * inverse * inverse)


def sigmoid(input):
    return reciprocal(exp(-input) + 1)


def isfinite(input):
    return torch.isfinite(input._pairs).all(-1)


def isnan(input):
    return torch.isnan(input._pairs).any(-1)


def isinf(input):
    return torch.isinf(input._pairs).any(-1)


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    return wrap(torch.nan_to_num(input._pairs, nan, posinf, neginf))


# ---- Between real and complex ----

def view_as_real(input):
    """The pairs of real and imaginary parts of a complex tensor, over the same memory."""
    if not isinstance(input, Tensor):
        raise TypeError("view_as_real is only supported for complex tensors")
    return input._pairs.view(input._pairs.shape)


def view_as_complex(input):
    """The complex tensor of the pairs along the last dimension, over the same memory."""
    if isinstance(input, Tensor) or of_real(input.dtype) is None:
        raise NotImplementedError("view_as_complex is only supported for half, float and double tensors, but got a "
                                  f"tensor of scalar type: {_kind(input)}")
    if input.dim() == 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if input.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    strides = input.stride()
    if strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    for stride in strides[:-1]:
        if stride % 2 != 0:
            raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    return wrap(input.view(input.shape))


def _kind(tensor):
    from torch._complex._tensor import scalar_name

    return scalar_name(tensor.dtype) if isinstance(tensor, Tensor) else tensor.type().split(".")[-1][:-6]


def complex(real, imag):
    """The complex tensor of a real and an imaginary part."""
    if of_real(real.dtype) is None or of_real(imag.dtype) is None:
        raise NotImplementedError("Expected both inputs to be Half, Float or Double tensors but got "
                                  f"{_kind(real)} and {_kind(imag)}")
    if real.dtype != imag.dtype:
        raise RuntimeError(f"Expected object of scalar type {_kind(real)} but got scalar type {_kind(imag)} for "
                           "second argument")
    return join(real, imag)


def polar(abs, angle):
    """The complex tensor of sizes and angles."""
    if of_real(abs.dtype) is None or of_real(angle.dtype) is None:
        raise NotImplementedError("Expected both inputs to be Half, Float or Double tensors but got "
                                  f"{_kind(abs)} and {_kind(angle)}")
    if abs.dtype != angle.dtype:
        raise RuntimeError(f"Expected object of scalar type {_kind(abs)} but got scalar type {_kind(angle)} for "
                           "second argument")
    return _polar(abs, angle)


# ---- Elements chosen ----

def where(condition, input, other):
    like = input if isinstance(input, Tensor) else other
    return wrap(torch.where(condition.unsqueeze(-1), _pairs_like(input, like), _pairs_like(other, like)))


def _pairs_like(value, like):
    """The pairs of a tensor or a number, the latter of the dtype and the device of another."""
    if isinstance(value, torch.Tensor):
        return as_complex(value)._pairs
    real, imag = parts(value)
    device = like.device if isinstance(like, torch.Tensor) else None
    dtype = like._pairs.dtype if isinstance(like, Tensor) else None
    return torch.tensor([real, 0.0 if imag is None else imag], dtype=dtype, device=device)


def masked_fill(input, mask, value):
    return where(mask, value, input)


def clone(input, *, memory_format=None):
    return wrap(input._pairs.clone())


def detach(input):
    return wrap(input._pairs.detach())

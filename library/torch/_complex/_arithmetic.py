"""Operators of complex tensors, in the operators of their parts.

    (a + bi) (c + di) = (ac - bd) + (ad + bc) i

An operand is a complex tensor, a real one, or a number of any kind. What is added to this class below:
`z + w`, `1j * x`, `z += w`, `z == w`.
"""
import torch
from torch._complex._tensor import Tensor, as_complex, join, parts, scalar_name, wrap


def _both(a, b):
    return isinstance(a, Tensor) and isinstance(b, Tensor)


def add(input, other, *, alpha=1):
    if _both(input, other) and input._pairs.dtype == other._pairs.dtype:
        return wrap(torch.add(input._pairs, other._pairs, alpha=alpha))
    if alpha != 1:
        other = mul(other, alpha)
    (a, b), (c, d) = parts(input), parts(other)
    return join(a + c, d if b is None else b if d is None else b + d)


def sub(input, other, *, alpha=1):
    if _both(input, other) and input._pairs.dtype == other._pairs.dtype:
        return wrap(torch.sub(input._pairs, other._pairs, alpha=alpha))
    return add(input, neg(other), alpha=alpha)


def rsub(input, other, *, alpha=1):
    return sub(other, input, alpha=alpha)


def neg(input):
    return wrap(-input._pairs) if isinstance(input, Tensor) else -input


def _scaled(complex_tensor, real):
    """The product with a real tensor or number."""
    pairs = complex_tensor._pairs
    if isinstance(real, torch.Tensor) and real.dim() > 0:
        real = real.unsqueeze(-1)
    return wrap(pairs * real)


def mul(input, other):
    (a, b), (c, d) = parts(input), parts(other)
    if d is None:
        return _scaled(input, other) if isinstance(input, Tensor) else _turned(other, input)
    if b is None:
        return _scaled(other, input) if isinstance(other, Tensor) else _turned(input, other)
    return join(a * c - b * d, a * d + b * c)


def _turned(real, number):
    """The product of something real and a complex number."""
    if not isinstance(real, torch.Tensor):
        return real * number
    return join(real * number.real, real * number.imag)


def _squared_size(a, b):
    return a * a + b * b


def reciprocal(input):
    a, b = parts(input)
    size = _squared_size(a, b)
    return join(a / size, -b / size)


def div(input, other, *, rounding_mode=None):
    if rounding_mode is not None:
        name = "div_floor_cpu" if rounding_mode == "floor" else "div_trunc_cpu"
        raise NotImplementedError(f"\"{name}\" not implemented for 'ComplexFloat'")
    (a, b), (c, d) = parts(input), parts(other)
    if d is None:
        if isinstance(other, torch.Tensor):
            other = other.unsqueeze(-1) if other.dim() > 0 else other
        return wrap(input._pairs / other) if isinstance(input, Tensor) else input / other
    size = _squared_size(c, d)
    if b is None:
        return join(a * c / size, -a * d / size)
    return join((a * c + b * d) / size, (b * c - a * d) / size)


def square(input):
    return mul(input, input)


def _logarithm_of_size(a, b):
    return 0.5 * torch.log(_squared_size(a, b))


def pow(input, exponent):
    """By size and angle, but for the powers that are products."""
    if isinstance(exponent, (int, float)) and isinstance(input, Tensor):
        if exponent == 0:
            return torch.ones_like(input)
        if exponent == 1:
            return input.clone()
        if exponent == 2:
            return square(input)
        if exponent == 3:
            return mul(square(input), input)
        if exponent == 0.5:
            return input.sqrt()
        if exponent == -1:
            return reciprocal(input)
    if not isinstance(input, torch.Tensor):  # a number to a complex power
        like = exponent._pairs
        number = complex(input)
        input = wrap(torch.tensor([number.real, number.imag], dtype=like.dtype, device=like.device))
    a, b = parts(as_complex(input))
    c, d = parts(exponent)
    size, angle = _logarithm_of_size(a, b), torch.atan2(b, a)
    if d is None:
        length, turn = torch.exp(size * c), angle * c
    else:
        length, turn = torch.exp(size * c - angle * d), size * d + angle * c
    return join(length * torch.cos(turn), length * torch.sin(turn))


def eq(input, other):
    (a, b), (c, d) = parts(input), parts(other)
    return (a == c) & ((0 if b is None else b) == (0 if d is None else d))


def ne(input, other):
    return ~eq(input, other)


def equal(input, other):
    """Whether shapes and all elements are the same."""
    return input.shape == other.shape and bool(eq(input, other).all())


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    difference = sub(input, other).abs()
    return eq(input, other) | (difference <= atol + rtol * abs(other))


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


def addcmul(input, tensor1, tensor2, *, value=1):
    return add(input, mul(tensor1, tensor2), alpha=value)


def lerp(input, end, weight):
    return add(input, mul(sub(end, input), weight))


# ---- The operators of the class ----

def _install(name, function):
    def forward(self, other):
        return function(self, other) if _is_operand(other) else NotImplemented

    def reflected(self, other):
        return function(other, self) if _is_operand(other) else NotImplemented

    def in_place(self, other):
        return _written(self, function(self, other)) if _is_operand(other) else NotImplemented

    setattr(Tensor, f"__{name}__", forward)
    setattr(Tensor, f"__r{name}__", reflected)
    setattr(Tensor, f"__i{name}__", in_place)


def _is_operand(other):
    return isinstance(other, (torch.Tensor, int, float, complex))


def _written(tensor, result):
    if result.shape != tensor.shape:
        raise RuntimeError(f"output with shape {list(tensor.shape)} doesn't match the broadcast shape "
                           f"{list(result.shape)}")
    tensor._pairs.copy_(result._pairs)
    return tensor


def _install_in_place(name, function):
    def method(self, *args, **kwargs):
        return _written(self, function(self, *args, **kwargs))

    method.__name__ = name + "_"
    setattr(Tensor, name + "_", method)


for _name, _function in (("add", add), ("sub", sub), ("mul", mul), ("truediv", div), ("pow", pow)):
    _install(_name, _function)
for _name, _function in (("add", add), ("sub", sub), ("mul", mul), ("div", div), ("pow", pow), ("neg", neg),
                         ("square", square), ("reciprocal", reciprocal), ("addcmul", addcmul), ("lerp", lerp)):
    _install_in_place(_name, _function)


def _equality(function):
    return lambda self, other: function(self, other) if _is_operand(other) else NotImplemented


def _install_order(name):
    def method(self, other):
        raise NotImplementedError(f"\"{name}_{self.device.type}\" not implemented for '{scalar_name(self.dtype)}'")

    setattr(Tensor, f"__{name}__", method)


Tensor.__eq__ = _equality(eq)
Tensor.__ne__ = _equality(ne)
for _name in ("lt", "le", "gt", "ge"):
    _install_order(_name)
Tensor.__neg__ = neg
Tensor.__pos__ = lambda self: self

"""Complex tensors made of sizes and of numbers, and conversions between real and complex dtypes.

    torch.zeros(2, 3, dtype=torch.cfloat)      torch.tensor([1 + 2j, 3])      x.to(torch.complex64)
"""
import warnings

import torch
from torch._complex._dtypes import dtype as complex_dtype
from torch._complex._tensor import Tensor, as_complex, join, wrap


def _sizes(given):
    return list(given[0]) if len(given) == 1 and not isinstance(given[0], int) else list(given)


def _of_sizes(name, scale=1.0):
    """A maker of tensors that fills the pairs as it fills real tensors."""
    function = getattr(torch, name)

    def make(*size, dtype=None, requires_grad=False, **options):
        if "size" in options:
            size = (options.pop("size"),)
        pairs = function(*_sizes(size), 2, dtype=dtype.to_real(), **options)
        if scale != 1.0:
            pairs = pairs * scale
        return wrap(pairs).requires_grad_() if requires_grad else wrap(pairs)

    make.__name__ = name
    return make


def _of_numbers(name):
    """A maker whose numbers are the real parts."""
    function = getattr(torch, name)

    def make(*args, dtype=None, requires_grad=False, **options):
        real = function(*args, dtype=dtype.to_real(), **options)
        made = join(real, torch.zeros_like(real))
        return made.requires_grad_() if requires_grad else made

    make.__name__ = name
    return make


zeros, empty, rand = _of_sizes("zeros"), _of_sizes("empty"), _of_sizes("rand")
randn = _of_sizes("randn", 0.5 ** 0.5)  # the variance is that of both parts together
ones, eye, linspace = [_of_numbers(name) for name in ("ones", "eye", "linspace")]


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    number = complex(fill_value)
    real = torch.get_default_dtype() if dtype is None else dtype.to_real()
    made = torch.empty(*size, 2, dtype=real, device=device)
    made[...] = torch.tensor([number.real, number.imag], dtype=real, device=device)
    return wrap(made).requires_grad_() if requires_grad else wrap(made)


def _like(make, input, dtype, device, requires_grad):
    """A tensor of the sizes of another, which may be real or complex."""
    dtype = input.dtype if dtype is None else dtype
    device = input.device if device is None else device
    if isinstance(dtype, complex_dtype):
        return make(tuple(input.shape), dtype=dtype, device=device, requires_grad=requires_grad)
    return getattr(torch, make.__name__)(tuple(input.shape), dtype=dtype, device=device,
                                         requires_grad=requires_grad)


def zeros_like(input, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return _like(zeros, input, dtype, device, requires_grad)


def ones_like(input, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return _like(ones, input, dtype, device, requires_grad)


def empty_like(input, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return _like(empty, input, dtype, device, requires_grad)


def rand_like(input, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return _like(rand, input, dtype, device, requires_grad)


def randn_like(input, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return _like(randn, input, dtype, device, requires_grad)


def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    dtype = input.dtype if dtype is None else dtype
    if not isinstance(dtype, complex_dtype):
        raise RuntimeError("value cannot be converted to type float without overflow")
    device = input.device if device is None else device
    return full(tuple(input.shape), fill_value, dtype=dtype, device=device, requires_grad=requires_grad)


def _new(make):
    def method(self, *size, dtype=None, device=None, requires_grad=False):
        return make(*size, dtype=self.dtype if dtype is None else dtype,
                    device=self.device if device is None else device, requires_grad=requires_grad)

    return method


new_zeros, new_ones, new_empty = _new(zeros), _new(ones), _new(empty)


def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False):
    return full(size, fill_value, dtype=self.dtype if dtype is None else dtype,
                device=self.device if device is None else device, requires_grad=requires_grad)


# ---- Of numbers in lists ----

def _pairs_of(data):
    """Nested lists of numbers as such of pairs of numbers."""
    if isinstance(data, (list, tuple)):
        return [_pairs_of(each) for each in data]
    if isinstance(data, Tensor):
        return torch.view_as_real(data).tolist()
    if isinstance(data, torch.Tensor):
        return _pairs_of(data.tolist())
    number = complex(data)
    return [number.real, number.imag]


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    if dtype is not None and not isinstance(dtype, complex_dtype):
        if isinstance(data, Tensor):
            return data.detach().to(device=device, dtype=dtype)
        raise TypeError("must be real number, not complex")
    if isinstance(data, Tensor):
        made = data.detach().clone().to(device=device, dtype=dtype)
    elif isinstance(data, torch.Tensor):
        made = data.detach().to(device=device, dtype=dtype)
    else:
        real = torch.get_default_dtype() if dtype is None else dtype.to_real()
        pairs = torch.tensor(_pairs_of(data), dtype=real, device=device)
        made = wrap(pairs if pairs.numel() else pairs.reshape(*pairs.shape, 2))
    return made.requires_grad_() if requires_grad else made


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, torch.Tensor):
        return data.to(device=device, dtype=dtype)
    return tensor(data, dtype=dtype, device=device)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    return tensor(data, dtype=self.dtype if dtype is None else dtype,
                  device=self.device if device is None else device, requires_grad=requires_grad)


# ---- Conversions ----

def to(input, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None, other=None):
    """`z.to(device)`, `z.to(torch.complex128)`, `x.to(torch.cfloat)`, `x.to(z)`."""
    for each in args:
        if isinstance(each, torch.dtype):
            dtype = each
        elif isinstance(each, torch.Tensor):
            other = each
        elif not isinstance(each, bool) and each is not None:
            device = each
    if other is not None:
        dtype, device = other.dtype, other.device
    dtype = input.dtype if dtype is None else dtype
    device = input.device if device is None else device
    if not isinstance(input, Tensor):
        real = input.to(device=device, dtype=dtype.to_real(), non_blocking=non_blocking)
        return join(real, torch.zeros_like(real))
    if not isinstance(dtype, complex_dtype):
        warnings.warn("Casting complex values to real discards the imaginary part")
        return input.real.to(device=device, dtype=dtype, copy=True)
    pairs = input._pairs.to(device=device, dtype=dtype.to_real(), non_blocking=non_blocking, copy=copy)
    return input if pairs is input._pairs else wrap(pairs)


def type_as(input, other):
    return to(input, other.dtype)


def type(input, dtype=None):
    if dtype is None:
        name = {"torch.complex64": "ComplexFloat", "torch.complex128": "ComplexDouble",
                "torch.complex32": "ComplexHalf"}[repr(input.dtype)]
        return f"torch.{'cuda.' if input.is_cuda else ''}{name}Tensor"
    return to(input, dtype)

"""Arrays of complex numbers: what Fourier transforms give, over complex tensors.

    z = np.fft.rfft(x)            z._tensor is a tensor of complex128, or of complex64
    np.abs(z), z.real, z[1:] * 2j

They are of a class of their own: `numpy` hands a call with one of them here (`form`), and so do operators. What
is not here raises.
"""
import operator

import torch
from numpy import _printing
from numpy._array import ndarray, wrap, wrap_result
from numpy._over_tensor import OverTensor
from numpy._scalars import float32, float64, generic
from numpy._values import operand


class complex_dtype:
    kind = "c"

    def __init__(self, name, torch_dtype):
        self.name, self._torch, self.itemsize = name, torch_dtype, torch_dtype.itemsize

    def __eq__(self, other):
        return of_complex_dtype(other) is self

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name


class _Complex:
    """One complex number."""

    __slots__ = ("_number",)
    _is_complex_number = True
    ndim, shape, size = 0, (), 1

    def __init__(self, value=0):
        self._number = complex(value)

    def __complex__(self):
        return self._number

    def __bool__(self):
        return self._number != 0

    def __hash__(self):
        return hash(self._number)

    @property
    def real(self):
        return _part(self, self._number.real)

    @property
    def imag(self):
        return _part(self, self._number.imag)

    def conjugate(self):
        return type(self)(self._number.conjugate())

    conj = conjugate

    def item(self):
        return self._number

    def __abs__(self):
        return _part(self, abs(self._number))

    def __neg__(self):
        return type(self)(-self._number)

    def __str__(self):
        return str(self._number)

    def __repr__(self):
        return f"np.{type(self).__name__}({str(self._number).strip('()')})"

    def __format__(self, spec):
        return format(self._number, spec)


class complex64(_Complex):
    __slots__ = ()
    __module__ = "numpy"


class complex128(_Complex):
    __slots__ = ()
    __module__ = "numpy"


cfloat, cdouble, csingle = complex128, complex128, complex64
complex64.dtype, complex128.dtype = complex_dtype("complex64", torch.complex64), complex_dtype("complex128", torch.complex128)
complex64.dtype.type, complex128.dtype.type = complex64, complex128
_SCALARS = {torch.complex64: complex64, torch.complex128: complex128}


def _part(scalar, number):
    return float32(number) if type(scalar) is complex64 else float64(number)


def of_complex_dtype(given):
    """The complex dtype that something names; None where it names another."""
    if isinstance(given, complex_dtype):
        return given
    if given is complex or given in ("complex", "complex128", "c16", "D"):
        return complex128.dtype
    if given in ("complex64", "c8", "F"):
        return complex64.dtype
    return given.dtype if isinstance(given, type) and issubclass(given, _Complex) else None


def is_complex(value):
    return isinstance(value, (ComplexArray, _Complex, complex))


def complex_tensor(value, dtype=None):
    """A complex tensor of an array, a number, a nested list."""
    if isinstance(value, ComplexArray):
        found = value._tensor
    elif isinstance(value, _Complex):
        found = torch.tensor(value._number, dtype=type(value).dtype._torch)
    elif isinstance(value, complex):
        found = torch.tensor(value, dtype=torch.complex128)
    elif isinstance(value, (list, tuple)) and _holds_complex(value):
        found = torch.tensor(_plain(value), dtype=torch.complex128)
    else:
        real = operand(value)
        found = torch.complex(real if real.dtype in (torch.float32, torch.float64) else real.double(),
                              torch.zeros(real.shape, dtype=torch.float32 if real.dtype is torch.float32 else torch.float64))
    return found if dtype is None or found.dtype == dtype else found.to(dtype)


def _holds_complex(value):
    if isinstance(value, (list, tuple)):
        return any([_holds_complex(each) for each in value])
    return is_complex(value)


holds_complex = _holds_complex


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, ComplexArray):
        return value.tolist()
    return complex(value._number if isinstance(value, (_Complex, generic)) else value)


def result(tensor):
    """An array, or the scalar of a tensor without dimensions; of real tensors those of `numpy`."""
    if not tensor.is_complex():
        return wrap_result(tensor)
    return _SCALARS[tensor.dtype](tensor.item()) if tensor.dim() == 0 else ComplexArray(tensor)


class ComplexArray(OverTensor):
    __module__ = "numpy"
    __array_priority__ = 10.0
    _is_complex_number = True

    def __init__(self, tensor):
        self._tensor = tensor

    @property
    def dtype(self):
        return _SCALARS[self._tensor.dtype].dtype

    @property
    def real(self):
        return wrap(self._tensor.real)

    @property
    def imag(self):
        return wrap(self._tensor.imag)

    @property
    def T(self):
        return self.transpose()

    def _index(self, index):
        parts = index if type(index) is tuple else (index,)
        parts = tuple([each._tensor if type(each) is ndarray else each._number if isinstance(each, generic) else each
                       for each in parts])
        return parts if type(index) is tuple else parts[0]

    def __getitem__(self, index):
        if isinstance(index, slice) and index.step is not None and index.step < 0:
            places = torch.arange(len(self))[torch.tensor(list(range(*index.indices(len(self)))), dtype=torch.int64)]
            return result(self._tensor[places])
        return result(self._tensor[self._index(index)])

    def __setitem__(self, index, value):
        self._tensor[self._index(index)] = complex_tensor(value, self._tensor.dtype)

    def copy(self, order="C"):
        return ComplexArray(self._tensor.clone())

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        wanted = of_complex_dtype(dtype)
        if wanted is None:
            raise TypeError("a complex array becomes none of real numbers here: take its .real")
        return ComplexArray(self._tensor.to(wanted._torch) if wanted._torch != self._tensor.dtype else self._tensor.clone())

    def reshape(self, *shape, order="C"):
        return ComplexArray(self._tensor.reshape(*shape))

    def ravel(self, order="C"):
        return ComplexArray(self._tensor.reshape(-1))

    flatten = ravel

    def transpose(self, *axes):
        order = axes[0] if len(axes) == 1 else axes or tuple(range(self.ndim))[::-1]
        return ComplexArray(self._tensor.permute(tuple(order)))

    def item(self, *index):
        return (self._tensor[index] if index else self._tensor.reshape(())).item()

    def conj(self):
        return ComplexArray(self._tensor.conj())

    conjugate = conj

    def sum(self, axis=None):
        return result(self._tensor.sum() if axis is None else self._tensor.sum(axis))

    def mean(self, axis=None):
        return result(self._tensor.mean() if axis is None else self._tensor.mean(axis))

    def dot(self, other):
        return self @ other

    def round(self, decimals=0):
        return ComplexArray(torch.complex(self._tensor.real.round(decimals=decimals),
                                          self._tensor.imag.round(decimals=decimals)))

    def __str__(self):
        return _text(self._tensor, " ", "", "")

    def __repr__(self):
        extras = f"dtype={self.dtype}" if self._tensor.dtype == torch.complex64 or self.size == 0 else ""
        text = "array(" + _text(self._tensor, ", ", "array(", ")")
        if not extras:
            return text + ")"
        last_line = len(text) - (text.rfind("\n") + 1)
        wide = "\n" in text or last_line + len(extras) + 3 > _printing.get_printoptions()["linewidth"]
        return f"{text},{chr(10) + '      ' if wide else ' '}{extras})"


def _text(tensor, separator, prefix, suffix):
    """The texts of both parts, each in a column of its own, the sign of the second always."""
    options = _printing.get_printoptions()

    def texts(flat):
        reals = _printing._texts(flat.real, options, False)
        imaginary = _printing._texts(flat.imag, {**options, "sign": "+"}, False)
        joined = []
        for first, second in zip(reals, imaginary):
            second = second.strip(" ") if second.strip(" ")[0] in "+-" else "+" + second.strip(" ")
            joined.append((first, second))
        width = max([len(second) for _, second in joined], default=0)
        return [first + (second + "j").ljust(width + 1) for first, second in joined]

    return _printing.laid_out(tensor, options, separator, prefix, suffix, texts)


# ---- Operators and functions --------------------------------------------------------------------

def _both(a, b):
    first, second = complex_tensor(a), complex_tensor(b)
    # A number of Python's gives way to the array's precision.
    for number, other in ((a, second), (b, first)):
        if type(number) in (int, float, complex) and other.dtype == torch.complex64:
            return first.to(torch.complex64), second.to(torch.complex64)
    return first, second


def _power(a, b):
    if b.dim() == 0 and b.item() == 2:
        return a * a
    return torch.pow(a, b)


_BINARY = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
           "true_divide": operator.truediv, "power": _power, "pow": _power, "equal": torch.eq, "not_equal": torch.ne}
_UNARY = {name: getattr(torch, name) for name in "exp log sqrt sin cos tan sinh cosh tanh square".split()}
_UNARY.update({"absolute": torch.abs, "abs": torch.abs, "conj": torch.conj, "conjugate": torch.conj, "negative": torch.neg,
               "isnan": torch.isnan, "isfinite": torch.isfinite, "log10": torch.log10, "log2": torch.log2})


def form(name, operands):
    """What a universal function gives of operands that are complex; None where none of them is."""
    if not any([is_complex(each) for each in operands]):
        return None
    if len(operands) == 1 and name in _UNARY:
        return result(_UNARY[name](complex_tensor(operands[0])))
    if len(operands) == 2 and name in _BINARY:
        return result(_BINARY[name](*_both(*operands)))
    raise TypeError(f"ufunc '{name}' is not there for complex numbers")


def _install(name, function, backwards=True):
    def forward(self, other):
        return function(self, other)

    def reflected(self, other):
        return function(other, self)

    for kind in (ComplexArray, _Complex):
        setattr(kind, f"__{name}__", forward)
        if backwards:
            setattr(kind, f"__r{name}__", reflected)


def _of(name):
    return lambda a, b: form(name, (a, b))


for _name, _ufunc in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("pow", "power")):
    _install(_name, _of(_ufunc))
_install("eq", _of("equal"), False)
_install("ne", _of("not_equal"), False)
_install("matmul", lambda a, b: result(torch.matmul(*_both(a, b))))
ComplexArray.__neg__ = lambda self: ComplexArray(-self._tensor)
ComplexArray.__abs__ = lambda self: wrap(torch.abs(self._tensor))


def angle(z, deg=False):
    """The arguments of complex numbers, of real ones 0 or pi."""
    found = torch.angle(complex_tensor(z) if is_complex(z) or _holds_complex(z) else operand(z).to(torch.float64))
    return wrap_result(found * (180 / torch.pi) if deg else found)


def real(val):
    return val.real if is_complex(val) else val


def iscomplexobj(x):
    return is_complex(x)


def isrealobj(x):
    return not is_complex(x)


def imag(val):
    if is_complex(val):
        return val.imag
    return wrap_result(torch.zeros_like(operand(val)))


def array(object, dtype=None, copy=True):
    wanted = None if dtype is None else of_complex_dtype(dtype)._torch
    found = complex_tensor(object, wanted)
    return ComplexArray(found.clone() if copy and isinstance(object, ComplexArray) else found)


def filled(shape, value, dtype):
    return ComplexArray(torch.full(shape, complex(value), dtype=of_complex_dtype(dtype)._torch))

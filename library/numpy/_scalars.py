"""Scalars: what one element of an array is, and what a sum gives.

    np.float32(0.1)          a number with a dtype
    np.float32(0.1) + 1      np.float32(1.1): what two scalars give is a scalar
    np.int8(100) + 100       wraps around, as arrays do

The number is in `_number`, a bool, an int or a float of Python's, rounded to the dtype. Arithmetic
is the arrays' own, on arrays without dimensions, but for float64, where it is Python's.
"""
import math
import operator

import torch
from numpy import _memory
from numpy._dtypes import ALIASES, BY_NAME, check_range

CLASSES = {}   # torch.float32 -> float32, the class
_LEAST, _MOST = -(2**63), 2**63 - 1   # of an int64


class generic:
    """The base of all scalars."""

    __slots__ = ("_number",)
    __module__ = "numpy"
    __plain_type__ = object
    _torch_dtype = None

    def __new__(cls, value=0, /):
        if cls._torch_dtype is None:
            raise TypeError(f"cannot create '{cls.__module__}.{cls.__name__}' instances")
        return _of_value(cls, value)

    shape = ()
    ndim = 0
    size = 1
    strides = ()

    @property
    def dtype(self):
        return BY_NAME[_NAMES[self._torch_dtype]]

    @property
    def itemsize(self):
        return self.dtype.itemsize

    nbytes = itemsize

    @property
    def T(self):
        return self

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return make(self._torch_dtype, 0)

    def item(self):
        return self._number

    tolist = item

    def __array__(self, dtype=None, copy=None):
        from numpy._values import asarray

        return asarray(self, dtype)

    def __getattr__(self, name):
        # What else arrays can do, scalars can: `x.astype(int)`, `x.sum()`.
        from numpy._array import ndarray
        from numpy._values import asarray

        if name.startswith("_") or not hasattr(ndarray, name):
            raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")
        found = getattr(asarray(self), name)
        if not callable(found):
            return found

        def method(*args, **kwargs):
            return of_array(found(*args, **kwargs))

        return method

    def __getitem__(self, index):
        if index == ():
            return self
        raise IndexError("invalid index to scalar variable.")

    def __bool__(self):
        return bool(self._number)

    def __int__(self):
        return int(self._number)

    def __float__(self):
        return float(self._number)

    def __hash__(self):
        return hash(self._number)

    def __str__(self):
        return str(self._number)

    def __repr__(self):
        return f"np.{type(self).__name__}({self})"

    def __format__(self, spec):
        return format(self._number, spec) if spec else str(self)

    def __round__(self, ndigits=None):
        from numpy._rounding import round as rounded

        return int(round(self._number)) if ndigits is None else rounded(self, ndigits)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        from numpy._core.multiarray import reduction_of_scalar

        return reduction_of_scalar(self)


class number(generic):
    __slots__ = ()
    __module__ = "numpy"


class integer(number):
    __slots__ = ()
    __module__ = "numpy"

    def __index__(self):
        return self._number

    def is_integer(self):
        return True

    def bit_count(self):
        return abs(self._number).bit_count()


class signedinteger(integer):
    __slots__ = ()
    __module__ = "numpy"


class unsignedinteger(integer):
    __slots__ = ()
    __module__ = "numpy"


class inexact(number):
    __slots__ = ()
    __module__ = "numpy"


class floating(inexact):
    __slots__ = ()
    __module__ = "numpy"

    def is_integer(self):
        return self._number.is_integer()

    def as_integer_ratio(self):
        return self._number.as_integer_ratio()

    def __trunc__(self):
        return math.trunc(self._number)

    def __floor__(self):
        return math.floor(self._number)

    def __ceil__(self):
        return math.ceil(self._number)

    def __str__(self):
        from numpy._float_text import text_of_scalar

        return text_of_scalar(self._number, self._torch_dtype)


class float64(floating):
    """Counts as a float: `isinstance(np.float64(1), float)`."""

    __slots__ = ()
    __module__ = "numpy"
    __plain_type__ = float
    _torch_dtype = torch.float64

    def __str__(self):
        return repr(self._number)

    def hex(self):
        return self._number.hex()


class float32(floating):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.float32


class float16(floating):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.float16


class int64(signedinteger):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.int64


class int32(signedinteger):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.int32


class int16(signedinteger):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.int16


class int8(signedinteger):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.int8


class uint8(unsignedinteger):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.uint8


class bool_(generic):
    __slots__ = ()
    __module__ = "numpy"
    _torch_dtype = torch.bool

    def __repr__(self):
        return f"np.{self._number}_"


bool_.__name__ = bool_.__qualname__ = "bool"
_NAMES = {}
for _class in (bool_, int8, int16, int32, int64, uint8, float16, float32, float64):
    _NAMES[_class._torch_dtype] = _class.__name__
    CLASSES[_class._torch_dtype] = _class
    BY_NAME[_class.__name__].type = _class
# The names that `numpy` has of the classes.
BY_ALIAS = {alias: BY_NAME[ALIASES[alias]].type
            for alias in """bool bool_ int8 int16 int32 int64 uint8 float16 float32 float64 byte short intc int_ long
            longlong intp ubyte half single double""".split()}


# ---- Making -------------------------------------------------------------------------------------

def make(dtype, number):
    """A scalar of a number that is one of the torch dtype's own."""
    made = object.__new__(CLASSES[dtype])
    made._number = number
    return made


def class_of(dtype):
    """The class of the scalars of a torch dtype."""
    return CLASSES[dtype]


def of_tensor(tensor):
    """The scalar of a tensor of one element."""
    made = object.__new__(CLASSES[tensor.dtype])
    made._number = tensor.item()
    return made


def of_array(value):
    """An array without dimensions as a scalar; all else as it is."""
    tensor = getattr(value, "_tensor", None)
    return value if tensor is None or tensor.dim() > 0 else of_tensor(tensor)


def _of_value(cls, value):
    dtype = cls._torch_dtype
    if value is None and dtype.is_floating_point:
        value = math.nan
    if isinstance(value, str):
        value = bool(value) if dtype is torch.bool else float(value) if dtype.is_floating_point else int(value)
    if isinstance(value, generic):
        value = value._number if value._torch_dtype in (torch.int64, torch.float64) else value
    if type(value) in (int, float, bool):
        return make(dtype, rounded(value, dtype))
    from numpy._values import array

    return of_array(array(value, dtype=cls))


def rounded(value, dtype):
    """A number of Python's as one of a dtype; raises where an int does not fit."""
    if dtype is torch.bool:
        return bool(value)
    if dtype is torch.float64:
        return float(value)
    if dtype.is_floating_point:
        return _memory.tensor(float(value), dtype=torch.float64).to(dtype).item()
    value = int(value)
    check_range(value, dtype)
    return value


# ---- Arithmetic ---------------------------------------------------------------------------------

# The special method, the ufunc, and what Python does for two float64 or two int64. Where that raises, at a 0
# or beyond 64 bits, the ufunc has the answer.
_BINARY = [
    ("add", "add", operator.add), ("sub", "subtract", operator.sub), ("mul", "multiply", operator.mul),
    ("truediv", "divide", lambda a, b: float(a) / float(b)), ("floordiv", "floor_divide", None),
    ("mod", "remainder", None), ("pow", "power", None), ("lshift", "left_shift", None),
    ("rshift", "right_shift", None), ("and", "bitwise_and", None), ("or", "bitwise_or", None),
    ("xor", "bitwise_xor", None), ("divmod", "divmod", None), ("matmul", "matmul", None),
]
_COMPARISONS = [
    ("lt", "less", operator.lt), ("le", "less_equal", operator.le), ("gt", "greater", operator.gt),
    ("ge", "greater_equal", operator.ge), ("eq", "equal", operator.eq), ("ne", "not_equal", operator.ne),
]
_UNARY = [("neg", "negative"), ("pos", "positive"), ("abs", "absolute"), ("invert", "invert")]
_OPERATOR_NAMES = {"and": "and_", "or": "or_"}


def _number_beside(scalar, other):
    """The other operand as a number of the scalar's own dtype, float64 or int64; None: it is something else."""
    kind = type(other)
    if scalar._torch_dtype is torch.float64:
        return other._number if kind is float64 else float(other) if kind is float or kind is int else None
    if scalar._torch_dtype is torch.int64:
        if kind is int:
            return other if _LEAST <= other <= _MOST else None
        return other._number if kind is int64 else None
    return None


def _install_binary(name, ufunc, quick, is_comparison):
    on_tensor = getattr(operator, _OPERATOR_NAMES.get(name, name), None)

    def result_of(scalar, first, second):
        dtype = torch.bool if is_comparison else torch.float64 if name == "truediv" else scalar._torch_dtype
        number = quick(first, second)
        if dtype is torch.int64 and not _LEAST <= number <= _MOST:
            raise OverflowError
        return make(dtype, number)

    def forward(self, other):
        number = None if quick is None else _number_beside(self, other)
        if number is not None:
            try:
                return result_of(self, self._number, number)
            except (ZeroDivisionError, OverflowError):
                pass
        if isinstance(other, torch.Tensor):
            return on_tensor(_beside_tensor(self), other)
        return _by_ufunc(ufunc, self, other)

    def reflected(self, other):
        number = None if quick is None else _number_beside(self, other)
        if number is not None:
            try:
                return result_of(self, number, self._number)
            except (ZeroDivisionError, OverflowError):
                pass
        if isinstance(other, torch.Tensor):
            return on_tensor(other, _beside_tensor(self))
        return _by_ufunc(ufunc, other, self)

    setattr(generic, f"__{name}__", forward)
    if not is_comparison:
        setattr(generic, f"__r{name}__", reflected)


def _beside_tensor(scalar):
    """The number that PyTorch's operators take a scalar for: a bool for a float."""
    return float(scalar._number) if scalar._torch_dtype is torch.bool else scalar._number


_SHORT_WAYS = {}  # of ufuncs, by their names


def _by_ufunc(name, a, b):
    short_way = _SHORT_WAYS.get(name)
    found = None if short_way is None else short_way(a, b)
    return _by_any_ufunc(name, a, b) if found is None else found


def _by_any_ufunc(name, a, b):
    from numpy import _ufuncs
    from numpy._array import is_operand

    other = b if isinstance(a, generic) else a
    if name == "multiply" and isinstance(other, (list, tuple, str)):
        return NotImplemented  # as many times, which needs an int
    if isinstance(other, str) and name in ("equal", "not_equal"):
        return make(torch.bool, name == "not_equal")
    if name == "matmul":
        raise ValueError("matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core "
                         "with signature (n?,k),(k,m?)->(n?,m?) requires 1)")
    if not is_operand(other) and type(other) is not complex:
        if isinstance(other, str):
            raise _ufuncs.no_loop(name, a, b)
        return NotImplemented
    function = getattr(_ufuncs, name)
    _SHORT_WAYS[name] = function.quick
    return function(a, b)


def _install_unary(name, ufunc):
    def method(self):
        from numpy import _ufuncs

        return getattr(_ufuncs, ufunc)(self)

    setattr(generic, f"__{name}__", method)


def _install_between_float64s(name, quick, result_class, backwards):
    """What two float64s give, or one and a number of Python's, without asking what else there may be."""
    method = f"__r{name}__" if backwards else f"__{name}__"
    otherwise = getattr(generic, method)

    def between(self, other):
        kind = type(other)
        number = other._number if kind is float64 else float(other) if kind is float or kind is int else None
        if number is None:
            return otherwise(self, other)
        try:
            number = quick(number, self._number) if backwards else quick(self._number, number)
        except (ZeroDivisionError, OverflowError):
            return otherwise(self, other)
        made = object.__new__(result_class)
        made._number = number
        return made

    setattr(float64, method, between)


for _name, _ufunc, _quick in _BINARY:
    _install_binary(_name, _ufunc, _quick, False)
    if _quick is not None:
        _install_between_float64s(_name, _quick, float64, False)
        _install_between_float64s(_name, _quick, float64, True)
for _name, _ufunc, _quick in _COMPARISONS:
    _install_binary(_name, _ufunc, _quick, True)
    _install_between_float64s(_name, _quick, bool_, False)
for _name, _ufunc in _UNARY:
    _install_unary(_name, _ufunc)
TRUE, FALSE = make(torch.bool, True), make(torch.bool, False)

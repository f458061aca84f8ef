"""`ndarray`: an array over the memory of a tensor, and what values become arrays.

    a = array([[1, 2], [3, 4]])      a._tensor is a tensor of int64
    wrap(tensor), unwrap(a)          from a tensor and back, without a copy
    a[0], a.T, a.reshape(4)          arrays over the same memory

Operators and methods are those of the modules of the library that are named in the tables at the end;
a module is read when one of its functions is first called. What has no dimensions is a scalar
(`_scalars`), but for what `array` makes.
"""
import torch
from numpy import _memory, _scalars
from numpy._dtypes import OF_TORCH, can_cast, check_range, dtype_of, is_complex_dtype, is_stored, promote
from numpy._scalars import generic, of_tensor

import _numpy


def _library(name):
    """A function of `numpy`, by its name; its module is read if need be."""
    import numpy

    return getattr(numpy, name)


class ndarray:
    __slots__ = ("_tensor", "_locked")
    __module__ = "numpy"
    __plain_type__ = torch.Tensor
    __hash__ = None
    __array_priority__ = 0.0

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None or strides is not None:
            raise NotImplementedError("ndarray() of a buffer is not there")
        return _library("empty")(shape, dtype)

    def __class_getitem__(cls, item):
        return cls

    # ---- What it is ----

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @shape.setter
    def shape(self, value):
        self._tensor = _library("reshape")(self, value)._tensor

    @property
    def ndim(self):
        return self._tensor.dim()

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def dtype(self):
        return OF_TORCH[self._tensor.dtype]

    @property
    def itemsize(self):
        return self._tensor.element_size()

    @property
    def nbytes(self):
        return self._tensor.numel() * self._tensor.element_size()

    @property
    def strides(self):
        return tuple([each * self._tensor.element_size() for each in self._tensor.stride()])

    @property
    def T(self):
        return _view(self, self._tensor.permute(tuple(reversed(range(self._tensor.dim())))))

    @property
    def mT(self):
        if self._tensor.dim() < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return _view(self, self._tensor.transpose(-1, -2))

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return wrap(torch.zeros_like(self._tensor))

    @property
    def flat(self):
        return _library("_flat")(self)

    @property
    def flags(self):
        return _library("_flags")(self)

    def __array__(self, dtype=None, copy=None):
        return asarray(self, dtype)

    # ---- As Python's values ----

    def item(self, *args):
        if not args:
            if self._tensor.numel() != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return self._tensor.item()
        index = args[0] if len(args) == 1 else args
        part = self[index] if isinstance(index, tuple) else self.reshape(-1)[index]
        return part._number

    def tolist(self):
        return self._tensor.tolist()

    def __len__(self):
        if self._tensor.dim() == 0:
            raise TypeError("len() of unsized object")
        return self._tensor.size(0)

    def __iter__(self):
        if self._tensor.dim() == 0:
            raise TypeError("iteration over a 0-d array")
        return self._parts()

    def _parts(self):
        tensor = self._tensor
        if tensor.dim() > 1:
            for i in range(tensor.size(0)):
                yield _view(self, tensor[i])
            return
        kind, version, numbers = _scalars.class_of(tensor.dtype), None, None
        for i in range(tensor.size(0)):
            if tensor._version != version:  # what is written meanwhile is seen
                version, numbers = tensor._version, tensor.tolist()
            made = object.__new__(kind)
            made._number = numbers[i]
            yield made

    def __bool__(self):
        if self._tensor.numel() == 1:
            return bool(self._tensor.item())
        if self._tensor.numel() == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check "
                             "that an array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or "
                         "a.all()")

    def _single(self):
        if self._tensor.dim() > 0:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._tensor.item()

    def __int__(self):
        return int(self._single())

    def __float__(self):
        return float(self._single())

    def __index__(self):
        if self._tensor.dim() > 0 or self._tensor.dtype.is_floating_point or self._tensor.dtype is torch.bool:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._tensor.item()

    def __contains__(self, element):
        return bool((self == element).any())

    def __repr__(self):
        return _library("array_repr")(self)

    def __str__(self):
        return _library("array_str")(self)

    def __format__(self, spec):
        if self._tensor.dim() == 0:
            return format(of_tensor(self._tensor), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        from numpy._core.multiarray import reduction_of_array

        return reduction_of_array(self)

    def __setstate__(self, state):
        from numpy._core.multiarray import set_array_state

        set_array_state(self, state)

    # ---- Parts ----

    # `_indexing` puts its functions in the place of these when it is read.

    def __getitem__(self, index):
        return _library("_get")(self, index)

    def __setitem__(self, index, value):
        _library("_set")(self, index, value)

    def __delitem__(self, index):
        raise ValueError("cannot delete array elements")

    def writable_tensor(self):
        """The tensor to write into; raises where nothing may be written."""
        if self._locked:
            raise ValueError("assignment destination is read-only")
        return self._tensor

    # ---- Copies and other dtypes ----

    def copy(self, order="C"):
        return wrap(self._tensor.contiguous().clone() if order in "CA" else self._tensor.clone())

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if is_stored(dtype):
            return _stored().array(self, dtype)
        if is_complex_dtype(dtype):
            return _complex_arrays().array(self, dtype)
        target = dtype_of(dtype)
        if casting != "unsafe" and not can_cast(self.dtype, target, casting):
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {target!r} according to the rule "
                            f"'{casting}'")
        if target._torch is self._tensor.dtype:
            return wrap(self._tensor.clone()) if copy else self
        return wrap(converted(self._tensor, target._torch))

    def view(self, dtype=None):
        if dtype is None or dtype is ndarray or dtype_of(dtype) is self.dtype:
            return _view(self, self._tensor[...])
        from numpy._bits import viewed
        return _view(self, viewed(self._tensor, self.dtype, dtype_of(dtype)))

    def tofile(self, fid, sep="", format="%s"):
        from numpy._mapped import tofile
        tofile(self._tensor, fid, sep)

    def fill(self, value):
        self[...] = value

    def tobytes(self, order="C"):
        from numpy._files import bytes_of

        return bytes_of(self)

    def flatten(self, order="C"):
        return _library("ravel")(self, order).copy()

    def reshape(self, *shape, order="C", copy=None):
        return _library("reshape")(self, shape[0] if len(shape) == 1 else shape, order)

    def transpose(self, *axes):
        return _library("transpose")(self, axes[0] if len(axes) == 1 else axes or None)

    def sort(self, axis=-1, kind=None, order=None):
        self.writable_tensor().copy_(_library("sort")(self, axis)._tensor)

    def dot(self, b, out=None):
        return _library("dot")(self, b, out)

    def searchsorted(self, v, side="left", sorter=None):
        return _library("searchsorted")(self, v, side, sorter)


# ---- Tensors and arrays -------------------------------------------------------------------------

def wrap(tensor):
    """The array over a tensor's memory."""
    made = object.__new__(ndarray)
    made._tensor = tensor
    made._locked = False
    return made


def _stored():
    """The file of the dtypes that are kept only, which few scripts need."""
    import numpy._stored as file
    return file


def _complex_arrays():
    import numpy._complex_arrays as file
    return file


def _view(array, tensor):
    """An array over a part of another's memory, which may be written where the other may."""
    made = object.__new__(ndarray)
    made._tensor = tensor
    made._locked = array._locked
    return made


def locked(tensor):
    """An array that may not be written: its elements show each other, or are a copy of another's."""
    made = wrap(tensor)
    made._locked = True
    return made


def wrap_result(tensor):
    """What a function gives: an array, or the scalar of a tensor without dimensions."""
    if tensor.dim() == 0:
        return of_tensor(tensor)
    made = object.__new__(ndarray)
    made._tensor = tensor
    made._locked = False
    return made


def to_tensor_result(tensor):
    """What an operation gives with a tensor among its operands: a tensor, of bools one of bytes."""
    return tensor.to(torch.uint8) if tensor.dtype is torch.bool else tensor


def unwrap(value):
    """The tensor of an array, a scalar, a number, a nested list."""
    return operand(value)


def operand(value):
    """As `unwrap`; a tensor that requires a gradient is refused."""
    if type(value) is ndarray:
        return value._tensor
    if isinstance(value, generic):
        return _memory.tensor(value._number, dtype=value._torch_dtype)
    if isinstance(value, torch.Tensor):
        from torch._numpy import readable

        return readable(value)
    if isinstance(value, ndarray):
        return value._tensor
    return _tensor_of_python(value)


def is_operand(value):
    """Whether operations take it."""
    return isinstance(value, (ndarray, generic, int, float, list, tuple, torch.Tensor))


# ---- Arrays of Python's values ------------------------------------------------------------------

def _tensor_of_python(value):
    kind = type(value)
    if kind is float:
        return _memory.tensor(value, dtype=torch.float64)
    if kind is int or kind is bool:
        return _memory.tensor(value)
    if isinstance(value, (list, tuple)):
        return _tensor_of_list(value)
    if kind is range:
        return _memory.arange(value.start, value.stop, value.step)
    method = getattr(value, "__array__", None)
    if method is not None:
        return operand(method())
    if not isinstance(value, (str, bytes, dict, set)) and hasattr(value, "__getitem__") and hasattr(value, "__len__"):
        return _tensor_of_list(list(value))
    raise _no_such_array(value)


def _no_such_array(value):
    kind = "str" if isinstance(value, (str, bytes)) else "object"
    return TypeError(f"arrays of {kind} are not there (got {type(value).__name__}): arrays hold bools, ints and "
                     "floats")


def _holds_arrays(items):
    """Whether the first innermost item of nested lists is a tensor or an array."""
    while items:
        first = items[0]
        if isinstance(first, (torch.Tensor, ndarray)):
            return True
        if not isinstance(first, (list, tuple)):
            return False
        items = first
    return False


def _tensor_of_list(items):
    if _holds_arrays(items):
        return _stacked([operand(each) for each in items])
    try:
        tensor, dtypes = _numpy.nested(items)
    except (ValueError, TypeError, RuntimeError) as error:
        raise _why_no_array(items, error) from None
    common = torch.float64 if not dtypes else dtypes[0]
    for each in dtypes[1:]:
        common = promote(common, each)
    return tensor.to(common)


def _stacked(tensors):
    shape, common = tensors[0].shape, tensors[0].dtype
    for each in tensors[1:]:
        common = promote(common, each.dtype)
        if each.shape != shape:
            raise _inhomogeneous(tensors)
    return torch.stack([each.to(common) for each in tensors])


def _inhomogeneous(tensors):
    shapes = [tuple(each.shape) for each in tensors]
    depth = 0
    while all([len(each) > depth and each[depth] == shapes[0][depth] for each in shapes]):
        depth += 1
    return _ragged((len(tensors), *shapes[0][:depth]))


def _ragged(found):
    return ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape "
                      f"after {len(found)} dimensions. The detected shape was {found} + inhomogeneous part.")


def _common_shape(value):
    """The dimensions that all of nested lists have, and whether there are more."""
    if not isinstance(value, (list, tuple)):
        return (), False
    if not value:
        return (0,), False
    parts = [_common_shape(each) for each in value]
    shape, uneven = parts[0]
    for other, other_uneven in parts[1:]:
        same = 0
        while same < min(len(shape), len(other)) and shape[same] == other[same]:
            same += 1
        uneven = uneven or other_uneven or len(shape) != len(other) or same < len(shape)
        shape = shape[:same]
    return (len(value), *shape), uneven


def _why_no_array(items, error):
    shape, uneven = _common_shape(items)
    if uneven:
        return _ragged(shape)
    while isinstance(items, (list, tuple)) and items:
        unknown = [each for each in items if not isinstance(each, (int, float, generic))]
        items = unknown[0] if unknown else 0
    return TypeError(str(error)) if isinstance(items, int) else _no_such_array(items)


def converted(tensor, dtype):
    """Of another dtype. Floats become ints through ints of 32 bits, or 64, of which what is too large or none is
    the least; small ints are the last bits of that."""
    if tensor.dtype.is_floating_point and not dtype.is_floating_point and dtype is not torch.bool:
        if dtype is not torch.int64:
            tensor = torch.where(torch.abs(tensor) < 2.0 ** 31, tensor.to(torch.float64), -2.0 ** 31)
        tensor = tensor.to(torch.int64)
    return tensor.to(dtype)


def _checked(value, tensor, dtype):
    """An int of Python's must fit its dtype, which one of an array need not."""
    if dtype.is_floating_point or tensor.dtype is not torch.int64 or isinstance(value, (ndarray, torch.Tensor)):
        return
    if tensor.numel() and not isinstance(value, generic):
        for number in (tensor.min().item(), tensor.max().item()):
            check_range(number, dtype)


_NO_COPY = """Unable to avoid copy while creating an array as requested.
If using `np.array(obj, copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior \
change in NumPy 1.x).
For more details, see https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-\
keyword."""


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """An array of numbers, nested lists, a tensor, another array; a copy."""
    if dtype is not None and is_stored(dtype):
        return _stored().array(object, dtype)
    if dtype is not None and is_complex_dtype(dtype):
        return _complex_arrays().array(object, dtype, copy)
    try:
        tensor = operand(object)
    except TypeError:
        if dtype is None and _complex_arrays().holds_complex(object):
            return _complex_arrays().array(object, dtype, copy)
        raise
    wanted = tensor.dtype if dtype is None else dtype_of(dtype)._torch
    if wanted is not tensor.dtype:
        if wanted is not torch.bool:
            _checked(object, tensor, wanted)
        made = converted(tensor, wanted)
    elif copy and isinstance(object, (ndarray, torch.Tensor)):
        made = tensor.clone()
    else:
        made = tensor
    if copy is False and (made is not tensor or not isinstance(object, ndarray)):
        raise ValueError(_NO_COPY)
    while made.dim() < ndmin:
        made = made.unsqueeze(0)
    return wrap(made)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """The array itself where it is one of that dtype; else as `array` makes it."""
    if type(a) is ndarray and (dtype is None or not is_stored(dtype) and dtype_of(dtype)._torch is a._tensor.dtype) and not copy:
        return a
    return array(a, dtype, copy=copy)


asanyarray = ascontiguousarray = asfortranarray = asarray


# ---- Operators ----------------------------------------------------------------------------------

# The special method, the ufunc.
_OPERATORS = [
    ("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("floordiv", "floor_divide"),
    ("mod", "remainder"), ("pow", "power"), ("lshift", "left_shift"), ("rshift", "right_shift"),
    ("and", "bitwise_and"), ("or", "bitwise_or"), ("xor", "bitwise_xor"), ("divmod", "divmod"), ("matmul", "matmul"),
]
_COMPARISONS = [("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal")]
_UNARY = [("neg", "negative"), ("pos", "positive"), ("abs", "absolute"), ("invert", "invert")]


def _cannot(other):
    """Whether Python has to ask the other operand."""
    return not is_operand(other) and not isinstance(other, str)


def _with_tensor(name, array, tensor):
    """An array before a tensor: what the tensor's reflected operator makes of that."""
    if name == "add":
        raise TypeError("Concatenation operation is not implemented for NumPy arrays, use np.concatenate() "
                        "instead. Please do not rely on this error; it may not be given on all Python "
                        "implementations.")
    return tensor.reciprocal() * array if name == "truediv" else NotImplemented


def _late_ufunc(name):
    """A list that is filled at the first use: the function of `numpy`, and its short way of two operands."""
    found = []

    def load():
        function = _library(name)
        found.extend([function, getattr(function, "quick", lambda a, b: None)])

    return found, load


def _install_operator(name, ufunc):
    function, load = _late_ufunc(ufunc)

    def forward(self, other):
        if not function:
            load()
        found = function[1](self, other)
        if found is not None:
            return found
        if type(other) is not ndarray:
            if isinstance(other, torch.Tensor):
                return _with_tensor(name, self, other)
            if _cannot(other) and type(other) is not complex:
                return NotImplemented
        return function[0](self, other)

    def reflected(self, other):
        if not function:
            load()
        found = function[1](other, self)
        if found is not None:
            return found
        return NotImplemented if _cannot(other) and type(other) is not complex else function[0](other, self)

    def in_place(self, other):
        if not function:
            load()
        quick = getattr(function[0], "quick_in_place", None)
        if quick is not None and quick(self, other):
            return self
        return NotImplemented if _cannot(other) else function[0](self, other, out=self)

    setattr(ndarray, f"__{name}__", forward)
    setattr(ndarray, f"__r{name}__", reflected)
    if name != "divmod":
        setattr(ndarray, f"__i{name}__", in_place)


def _install_comparison(name, ufunc):
    function, load = _late_ufunc(ufunc)

    def method(self, other):
        if not function:
            load()
        found = function[1](self, other)
        if found is not None:
            return found
        if isinstance(other, torch.Tensor) or _cannot(other):
            return NotImplemented
        return function[0](self, other)

    setattr(ndarray, f"__{name}__", method)


def _install_unary(name, ufunc):
    setattr(ndarray, f"__{name}__", lambda self: _library(ufunc)(self))


def _equality(ufunc, of_others):
    def method(self, other):
        if isinstance(other, torch.Tensor):
            return other == self._tensor if ufunc == "equal" else NotImplemented
        if other is None or isinstance(other, str):
            return wrap_result(_memory.full(self._tensor.shape, of_others))
        return NotImplemented if _cannot(other) else _library(ufunc)(self, other)

    return method


for _name, _ufunc in _OPERATORS:
    _install_operator(_name, _ufunc)
for _name, _ufunc in _COMPARISONS:
    _install_comparison(_name, _ufunc)
for _name, _ufunc in _UNARY:
    _install_unary(_name, _ufunc)
ndarray.__eq__ = _equality("equal", False)
ndarray.__ne__ = _equality("not_equal", True)

# ---- Methods that are functions of `numpy` with the array in front -------------------------------

_METHODS = """sum prod mean std var min max argmin argmax any all cumsum cumprod round clip repeat nonzero squeeze
swapaxes ravel argsort take diagonal trace conj conjugate""".split()


def _install_method(name):
    def method(self, *args, **kwargs):
        return _library(name)(self, *args, **kwargs)

    method.__name__ = name
    setattr(ndarray, name, method)


for _name in _METHODS:
    _install_method(_name)

"""`ndarray`: an array over the memory of a tensor.

    wrap(tensor)                     the array over a tensor's memory; a._tensor is that tensor
    a[0], a.T, a.reshape(4)          arrays over the same memory

What becomes an array is in `_values`, operators and the methods that are functions of `numpy` are in
`_operators`; a module is read when one of its functions is first called. What has no dimensions is a scalar
(`_scalars`), but for what `array` makes.
"""
import torch
from numpy import _scalars
from numpy._dtypes import OF_TORCH, can_cast, converted, dtype_of, is_complex_dtype, is_stored
from numpy._over_tensor import OverTensor
from numpy._scalars import generic, of_tensor


def library(name):
    """A function of `numpy`, by its name; its module is read if need be."""
    import numpy

    return getattr(numpy, name)


class ndarray(OverTensor):
    __slots__ = ("_locked",)
    __module__ = "numpy"
    __plain_type__ = torch.Tensor
    __array_priority__ = 0.0
    __element_types__ = _scalars.CLASSES  # for the interpreter, which reads and writes single elements itself

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None or strides is not None:
            raise NotImplementedError("ndarray() of a buffer is not there")
        return library("empty")(shape, dtype)

    def __class_getitem__(cls, item):
        return cls

    # ---- What it is ----

    @OverTensor.shape.setter
    def shape(self, value):
        self._tensor = library("reshape")(self, value)._tensor

    @property
    def dtype(self):
        return OF_TORCH[self._tensor.dtype]

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
        return library("_flat")(self)

    @property
    def flags(self):
        return library("_flags")(self)

    def __array__(self, dtype=None, copy=None):
        return library("asarray")(self, dtype)

    # ---- As Python's values ----

    def item(self, *args):
        if not args:
            if self._tensor.numel() != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return self._tensor.item()
        index = args[0] if len(args) == 1 else args
        part = self[index] if isinstance(index, tuple) else self.reshape(-1)[index]
        return part._number

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
        return library("array_repr")(self)

    def __str__(self):
        return library("array_str")(self)

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
        return library("_get")(self, index)

    def __setitem__(self, index, value):
        library("_set")(self, index, value)

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
            return stored_file().array(self, dtype)
        if is_complex_dtype(dtype):
            return complex_file().array(self, dtype)
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
        return library("ravel")(self, order).copy()

    def reshape(self, *shape, order="C", copy=None):
        return library("reshape")(self, shape[0] if len(shape) == 1 else shape, order)

    def transpose(self, *axes):
        return library("transpose")(self, axes[0] if len(axes) == 1 else axes or None)

    def sort(self, axis=-1, kind=None, order=None):
        self.writable_tensor().copy_(library("sort")(self, axis)._tensor)

    def dot(self, b, out=None):
        return library("dot")(self, b, out)

    def searchsorted(self, v, side="left", sorter=None):
        return library("searchsorted")(self, v, side, sorter)


# ---- Tensors and arrays -------------------------------------------------------------------------

def wrap(tensor):
    """The array over a tensor's memory."""
    made = object.__new__(ndarray)
    made._tensor = tensor
    made._locked = False
    return made


def stored_file():
    """The file of the dtypes that are kept only, which few scripts need."""
    import numpy._stored as file
    return file


def complex_file():
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


def is_operand(value):
    """Whether operations take it."""
    return isinstance(value, (ndarray, generic, int, float, list, tuple, torch.Tensor))


import numpy._operators  # which puts the operators into the class

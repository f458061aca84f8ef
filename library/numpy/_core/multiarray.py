"""Arrays, scalars and dtypes in pickles, as NumPy writes them, so that files go both ways.

    pickle.dumps(np.arange(3))

    _reconstruct(np.ndarray, (0,), b"b")                                an array of nothing, then its state:
    (1, (3,), np.dtype("int64"), False, b"...")                         version, shape, dtype, by columns, bytes

A scalar is `scalar(dtype, bytes)`, a dtype `dtype("i8", False, True)`. Numbers of a width without an
operator (`uint32`, which a state of NumPy's random numbers holds) come back as int64.
"""
import io

import _storage
import torch
from numpy._array import ndarray, wrap
from numpy._dtypes import dtype as dtype_class, dtype_of
from numpy._files import bytes_of
from numpy._stored import StoredDtype
from numpy._values import asarray


def _reconstruct(subtype, shape, dtype):
    if not isinstance(subtype, type) or not issubclass(subtype, ndarray):
        raise TypeError("_reconstruct: First argument must be a sub-type of ndarray")
    made = object.__new__(subtype)
    made._tensor = torch.empty(shape, dtype=torch.int8)
    made._locked = False
    return made


def scalar(dtype, obj=None):
    return _array_of(obj, dtype, ())[()]


_reconstruct.__module__ = scalar.__module__ = "numpy._core.multiarray"


def _array_of(data, dtype, shape):
    memory = dtype.memory if isinstance(dtype, StoredDtype) else dtype._torch
    count = 1
    for size in shape:
        count *= size
    if not isinstance(data, bytes) or len(data) != count * dtype.itemsize:
        raise ValueError("buffer size does not match array size")
    flat = _storage.read(io.BytesIO(data), count, memory)[0]
    if isinstance(dtype, StoredDtype):
        flat = flat.long() & (1 << 8 * dtype.itemsize) - 1
    return wrap(flat.reshape(shape))


def set_array_state(array, state):
    """What `ndarray.__setstate__` does."""
    _, shape, dtype, by_columns, data = state
    made = _array_of(data, dtype, shape[::-1] if by_columns else shape)._tensor
    array._tensor = made.permute(*range(made.dim())[::-1]) if by_columns else made


def reduction_of_array(array):
    return _reconstruct, (ndarray, (0,), b"b"), (1, array.shape, array.dtype, False, bytes_of(array))


def reduction_of_scalar(number):
    return scalar, (number.dtype, bytes_of(asarray(number)))


def reduction_of_dtype(dtype):
    order = "|" if dtype.itemsize == 1 else "<"
    return dtype_class, (dtype.str[1:], False, True), (3, order, None, None, None, -1, -1, 0)


def set_dtype_state(dtype, state):
    """A dtype is complete by its name; what is left to ask is the order of its bytes."""
    if state[1] not in ("<", "|", "="):
        raise NotImplementedError("numbers of another byte order are not there")

"""uint16 and uint32: numbers that are kept in arrays and files, and converted before they are computed with.

    ids = np.array([1, 2, 65535], dtype=np.uint16)
    ids.tofile("ids.bin")
    ids[1:].astype(np.int64)         array([    2, 65535])

Tensors have no such dtype. The memory is that of a signed one of the same width, so that a file is mapped
as it is; what an element is worth is worked out when it is asked for. Anything else raises.
"""
import torch
from numpy import _array, _values
from numpy._dtypes import STORED_NAMES
from numpy._over_tensor import OverTensor


class StoredDtype:
    _is_stored = True
    kind = "u"
    byteorder = "="

    def __init__(self, name, memory):
        self.name = name
        self.memory = memory
        self.itemsize = memory.itemsize

    @property
    def str(self):
        return f"<u{self.itemsize}"

    def __eq__(self, other):
        return stored_dtype(other) is self

    def __hash__(self):
        return hash(self.name)

    def __setstate__(self, state):
        from numpy._core.multiarray import set_dtype_state

        set_dtype_state(self, state)

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name


class _Stored:
    """One such number."""

    __slots__ = ("_number",)
    _is_stored = True

    def __new__(cls, value=0, /):
        made = object.__new__(cls)
        made._number = int(value)
        _check([made._number], cls.dtype)
        return made

    def __int__(self):
        return self._number

    __index__ = __int__

    def __float__(self):
        return float(self._number)

    def __bool__(self):
        return self._number != 0

    def item(self):
        return self._number

    def __eq__(self, other):
        return self._number == other

    def __lt__(self, other):
        return self._number < other

    def __le__(self, other):
        return self._number <= other

    def __gt__(self, other):
        return self._number > other

    def __ge__(self, other):
        return self._number >= other

    def __hash__(self):
        return hash(self._number)

    def __str__(self):
        return str(self._number)

    def __format__(self, spec):
        return format(self._number, spec)

    def __repr__(self):
        return f"np.{type(self).__name__}({self._number})"


class uint16(_Stored):
    __module__ = "numpy"
    __slots__ = ()
    dtype = StoredDtype("uint16", torch.int16)


class uint32(_Stored):
    __module__ = "numpy"
    __slots__ = ()
    dtype = StoredDtype("uint32", torch.int32)


uint16.dtype.type, uint32.dtype.type = uint16, uint32
_BY_NAME = {kind.__name__: kind.dtype for kind in (uint16, uint32)}


def stored_dtype(given):
    """The dtype that something names, or None where that is another one."""
    if isinstance(given, StoredDtype):
        return given
    if isinstance(given, str):
        return _BY_NAME.get(STORED_NAMES.get(given.lstrip("<=")))
    return given.dtype if isinstance(given, type) and issubclass(given, _Stored) else None


def _check(numbers, dtype):
    for number in numbers:
        if not 0 <= number < 1 << 8 * dtype.itemsize:
            raise OverflowError(f"Python integer {number} out of bounds for {dtype.name}")


class StoredArray(OverTensor):
    __module__ = "numpy"

    def __init__(self, tensor, dtype, shown="array", locked=False):
        self._tensor, self.dtype, self._shown, self._locked = tensor, dtype, shown, locked

    def _with(self, tensor):
        return StoredArray(tensor, self.dtype, self._shown, self._locked)

    def _numbers(self):
        """As a tensor of int64: the bit that is a sign in memory is none."""
        return self._tensor.long() & (1 << 8 * self.itemsize) - 1

    def __getitem__(self, index):
        found = _array.wrap(self._tensor)[index]
        if isinstance(found, _array.ndarray):
            return self._with(found._tensor)
        return self.dtype.type(int(found) % (1 << 8 * self.itemsize))

    def __setitem__(self, index, value):
        if self._locked:
            raise ValueError("assignment destination is read-only")
        _array.wrap(self._tensor)[index] = _array.wrap(array(value, self.dtype)._tensor)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if stored_dtype(dtype) is not None:
            return array(_array.wrap(self._numbers()), dtype)
        return _array.wrap(self._numbers()).astype(dtype)

    def tolist(self):
        return self._numbers().tolist()

    def item(self, *index):
        return _array.wrap(self._numbers()).item(*index)

    def max(self):
        return self.dtype.type(int(self._numbers().max()))

    def min(self):
        return self.dtype.type(int(self._numbers().min()))

    def copy(self, order="C"):
        return StoredArray(self._tensor.clone(), self.dtype)

    def reshape(self, *shape, order="C"):
        return self._with(self._tensor.reshape(*shape))

    def ravel(self, order="C"):
        return self._with(self._tensor.reshape(-1))

    def flatten(self, order="C"):
        return StoredArray(self._tensor.flatten().clone(), self.dtype)

    def tofile(self, fid, sep="", format="%s"):
        from numpy._mapped import tofile
        tofile(self._tensor, fid, sep)

    def flush(self):
        """What is written to mapped memory is in the file for whoever reads it."""

    def __str__(self):
        return str(_array.wrap(self._numbers()))

    def __repr__(self):
        from numpy import array2string
        lines = array2string(_array.wrap(self._numbers()), separator=", ", prefix=self._shown + "(",
                             suffix=f", dtype={self.dtype.name})")
        return f"{self._shown}({lines}, dtype={self.dtype.name})"

    def __getattr__(self, name):
        raise AttributeError(f"an array of {self.dtype.name} has no '{name}': it is kept only, "
                             ".astype(np.int64) is one to compute with")


def array(object, dtype):
    """Of numbers, lists and arrays: rounded towards zero; Python's numbers have to be in its range."""
    dtype = stored_dtype(dtype)
    if isinstance(object, StoredArray):
        object = _array.wrap(object._numbers())
    tensor = _values.operand(object)
    wide = tensor.long() if tensor.dtype is not torch.int64 else tensor
    if not isinstance(object, (_array.ndarray, torch.Tensor)) and wide.numel():
        _check([int(wide.min()), int(wide.max())], dtype)
    return StoredArray(wide.to(dtype.memory), dtype)

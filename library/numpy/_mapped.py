"""Arrays as the bytes of a file: `memmap`, whose memory is the file's, `fromfile` and `tofile`.

    data = np.memmap("train.bin", dtype=np.uint16, mode="r")     nothing is read yet
    data[1000:1256].astype(np.int64)                             these are
"""
import _storage
from numpy import _array
from numpy._dtypes import dtype_of
from numpy._stored import StoredArray, stored_dtype

_MODES = {"readonly": "r", "copyonwrite": "c", "readwrite": "r+", "write": "w+"}
_SHORT = ["r", "c", "r+", "w+"]


def _memory_of(dtype):
    """The dtype of the tensor, the kept dtype or None."""
    kept = stored_dtype(dtype)
    return (kept.memory, kept) if kept is not None else (dtype_of(dtype)._torch, None)


class memmap(_array.ndarray):
    """An array over a file: `r` may not be written, `c` is written in memory alone, `r+` and `w+` write
    the file, which `w+` makes anew."""

    __slots__ = ()
    __module__ = "numpy"

    def __new__(cls, filename, dtype="uint8", mode="r+", offset=0, shape=None, order="C"):
        flat, kept, is_locked = _mapped(filename, dtype, mode, offset, shape)
        if kept is not None:
            return StoredArray(flat, kept, "memmap", is_locked)
        made = object.__new__(cls)
        made._tensor, made._locked = flat, is_locked
        return made

    def __init__(self, *args, **kwargs):
        """It is made whole."""

    def flush(self):
        """What is written to mapped memory is in the file for whoever reads it."""


def _mapped(filename, dtype, mode, offset, shape):
    """The tensor over the file, which dtype it only keeps or None, and whether it may not be written."""
    mode = _MODES.get(mode, mode)
    if mode not in _SHORT:
        raise ValueError(f"mode must be one of {_SHORT + list(_MODES)} (got {mode!r})")
    memory, kept = _memory_of(dtype)
    size = memory.itemsize
    path = str(filename)
    if mode == "w+" and shape is None:
        raise ValueError("shape must be given if mode == 'w+'")
    if shape is not None:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if mode == "w+":
        _write_zeros(path, offset + _count(shape) * size)
    if shape is None:
        with open(path, "rb") as file:
            rest = file.seek(0, 2) - offset
        if rest % size:
            raise ValueError("Size of available data is not a multiple of the data-type size.")
        shape = (rest // size,)
    if offset % size:
        raise NotImplementedError(f"an offset that is no multiple of {size}, the size of an element")
    flat = _storage.mapped(path, memory, offset, _count(shape), mode in ("r+", "w+"))
    return flat.reshape(shape), kept, mode == "r"


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def _write_zeros(path, size):
    with open(path, "wb") as file:
        file.seek(max(size - 1, 0))
        file.write(b"\x00" if size else b"")


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
    if sep:
        raise NotImplementedError("numbers as text: np.loadtxt reads them")
    memory, kept = _memory_of(dtype)
    if not hasattr(file, "read"):
        with open(file, "rb") as opened:
            return fromfile(opened, dtype, count, sep, offset)
    file.seek(offset, 1)
    start = file.tell()
    rest = file.seek(0, 2) - start
    file.seek(start)
    there = max(rest, 0) // memory.itemsize
    count = there if count < 0 else min(count, there)
    flat = _storage.read(file, count, memory)[0]
    return _array.wrap(flat) if kept is None else StoredArray(flat, kept)


def tofile(tensor, fid, sep=""):
    if sep:
        raise NotImplementedError("numbers as text: np.savetxt writes them")
    if not hasattr(fid, "write"):
        with open(fid, "wb") as opened:
            return tofile(tensor, opened)
    _storage.write(fid, tensor.contiguous().reshape(-1).clone())

"""dtypes: what there is, under which names, and which one two have in common.

    dtype("float32"), dtype(float), dtype("<f4")     one object each
    promote(int64, float32)                          float64: a float that holds the ints

A dtype is there where PyTorch's tensors have it as well: bool, signed ints, uint8 and floats. What a
number of Python's becomes beside an array is said in `weak_dtype` (NEP 50: it gives way).
"""
import torch


class dtype:
    """One object a kind of number; `dtype(x)` finds the one that x names."""

    __slots__ = ("name", "kind", "char", "itemsize", "alignment", "type", "_torch")
    __module__ = "numpy"

    def __new__(cls, dtype, align=False, copy=False):
        if is_stored(dtype):
            from numpy._stored import stored_dtype

            return stored_dtype(dtype)
        return dtype_of(dtype)

    @property
    def str(self):
        return ("|" if self.itemsize == 1 else "<") + f"{self.kind}{self.itemsize}"

    shape = ()
    ndim = 0
    byteorder = "="
    fields = names = subdtype = None

    def newbyteorder(self, new_order="S"):
        raise NotImplementedError("numbers of another byte order are not there")

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        if isinstance(other, torch.dtype):
            return False
        try:
            return self is dtype_of(other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)

    def __reduce__(self):
        from numpy._core.multiarray import reduction_of_dtype

        return reduction_of_dtype(self)

    def __setstate__(self, state):
        from numpy._core.multiarray import set_dtype_state

        set_dtype_state(self, state)


# name, kind, character, bytes, what else it is called
_TABLE = [
    ("bool", "b", "?", 1, "bool_ b1"),
    ("int8", "i", "b", 1, "byte i1"),
    ("int16", "i", "h", 2, "short i2"),
    ("int32", "i", "i", 4, "intc i4"),
    ("int64", "i", "l", 8, "int int_ long longlong intp i8 q p n"),
    ("uint8", "u", "B", 1, "ubyte u1"),
    ("float16", "f", "e", 2, "half f2"),
    ("float32", "f", "f", 4, "single f4"),
    ("float64", "f", "d", 8, "float double f8"),
]
ALIASES = {}     # "f4" -> "float32"
BY_NAME = {}
OF_TORCH = {}    # torch.float32 -> its dtype
for _name, _kind, _char, _bytes, _others in _TABLE:
    _made = object.__new__(dtype)
    _made.name, _made.kind, _made.char, _made.itemsize, _made.alignment = _name, _kind, _char, _bytes, _bytes
    _made._torch = getattr(torch, _name)
    BY_NAME[_name] = OF_TORCH[_made._torch] = _made
    for _alias in (_name, _char, *_others.split()):
        ALIASES[_alias] = _name
BOOL, INT64, FLOAT64 = BY_NAME["bool"], BY_NAME["int64"], BY_NAME["float64"]
_OF_PYTHON = {float: FLOAT64, int: INT64, bool: BOOL}
_NOT_THERE = ("str S U V O M m c8 c16 F D G O8 u8 L Q g f16 "
              "uint uint64 ulong ulonglong uintp longdouble float128 "
              "complex complex64 complex128 object str_ bytes bytes_ datetime64 timedelta64 void").split()


# The dtypes that arrays only keep (`_stored`), by all that they are called.
STORED_NAMES = {alias: name for name, aliases in (("uint16", "u2 H ushort"), ("uint32", "u4 I uintc"))
                for alias in (name, *aliases.split())}


def is_stored(given):
    return given.lstrip("<=") in STORED_NAMES if type(given) is str else hasattr(given, "_is_stored")


def is_complex_dtype(given):
    """Whether it names complex numbers, which have arrays of their own (`_complex_arrays`)."""
    if type(given) is str:
        return given.lstrip("<=") in ("complex", "complex64", "complex128", "c8", "c16", "F", "D")
    return given is complex or getattr(getattr(given, "dtype", given), "kind", None) == "c"


def dtype_of(given):
    """The dtype that something names: a dtype, a class, a text."""
    if type(given) is dtype:
        return given
    if given is None:
        return FLOAT64
    if isinstance(given, str):
        return _of_text(given)
    if isinstance(given, type):
        if given in _OF_PYTHON:
            return _OF_PYTHON[given]
        found = getattr(given, "_torch_dtype", None)
        if found is not None:
            return OF_TORCH[found]
        raise TypeError(f"dtype '{given.__name__}' is not there: arrays hold bools, ints and floats")
    found = getattr(given, "dtype", None)
    if type(found) is dtype:
        return found
    raise TypeError(f"Cannot interpret '{given}' as a data type")


def _of_text(text):
    name = ALIASES.get(text.lstrip("<=|"))
    if name is not None:
        return BY_NAME[name]
    bare = text.lstrip("<=|>").rstrip("0123456789")
    if is_stored(text) or text in _NOT_THERE or text.lstrip("<=|>") in _NOT_THERE or bare in ("S", "U", "V") or text[:1] == ">":
        raise TypeError(f"dtype '{text}' is not there: arrays hold bools, ints and floats")
    raise TypeError(f"data type '{text}' not understood")


# ---- Promotion ----------------------------------------------------------------------------------

# The float that holds all ints of so many bytes.
_FLOAT_OF_BYTES = {1: torch.float16, 2: torch.float32, 4: torch.float64, 8: torch.float64}
_BYTES = {each._torch: each.itemsize for each in OF_TORCH.values()}
INTS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
_HALVES = {each: 1 << 8 * _BYTES[each] - 2 for each in INTS[:-1]}
_RANGES = {torch.uint8: (0, 255), **{each: (-half - half, half - 1 + half) for each, half in _HALVES.items()}}
_promoted = {}


def float_for(of):
    """The torch dtype in which a function of floats computes for numbers of a dtype."""
    return of if of.is_floating_point else _FLOAT_OF_BYTES[_BYTES[of]]


def promote(a, b):
    """The torch dtype that two have in common, by NumPy's rules."""
    if a is b:
        return a
    found = _promoted.get((a, b))
    if found is None:
        if a.is_floating_point != b.is_floating_point and torch.bool not in (a, b):
            found = torch.promote_types(float_for(a), float_for(b))
        else:
            found = torch.promote_types(a, b)
        _promoted[a, b] = found
    return found


def weak_dtype(of, number):
    """The dtype of an array of a dtype and a number of Python's."""
    if isinstance(number, bool) or of.is_floating_point:
        return of
    if isinstance(number, float):
        return torch.float64
    return torch.int64 if of is torch.bool else of


def check_range(number, of):
    """Raises where an int dtype does not hold an int."""
    if of in _RANGES and not isinstance(number, float):
        least, greatest = _RANGES[of]
        if not least <= number <= greatest:
            raise OverflowError(f"Python integer {number} out of bounds for {OF_TORCH[of].name}")


def int_range(of):
    return _RANGES[of]


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on all of these has."""
    from numpy._values import operand

    strong, weak = [], []
    for each in arrays_and_dtypes:
        if isinstance(each, (dtype, str, type)):
            strong.append(dtype_of(each)._torch)
        elif type(each) in _OF_PYTHON:
            weak.append(each)
        else:
            strong.append(operand(each).dtype)
    if not strong and not weak:
        raise ValueError("at least one array or dtype is required")
    if not strong:
        strong.append(_OF_PYTHON[type(weak.pop())]._torch)
    common = strong[0]
    for each in strong[1:]:
        common = promote(common, each)
    for number in weak:
        common = weak_dtype(common, number)
    return OF_TORCH[common]


def promote_types(type1, type2):
    return OF_TORCH[promote(dtype_of(type1)._torch, dtype_of(type2)._torch)]


_CATEGORIES = {"b": 0, "u": 1, "i": 1, "f": 2}


def can_cast(from_, to, casting="safe"):
    """Whether numbers of a dtype may become another's: `can_cast("i4", "f8")`."""
    source, target = dtype_of(from_), dtype_of(to)
    if casting == "unsafe" or source is target:
        return True
    if casting in ("no", "equiv"):
        return False
    if promote(source._torch, target._torch) is target._torch:
        return True
    if casting != "same_kind":
        return False
    return _CATEGORIES[source.kind] <= _CATEGORIES[target.kind] and (source.kind, target.kind) != ("i", "u")


def issubdtype(arg1, arg2):
    """Whether a dtype is of a kind: `issubdtype(a.dtype, np.floating)`."""
    first = arg1 if isinstance(arg1, type) and not hasattr(arg1, "dtype") else dtype_of(arg1).type
    if first in _OF_PYTHON:
        first = _OF_PYTHON[first].type
    second = arg2 if isinstance(arg2, type) and arg2 not in _OF_PYTHON else dtype_of(arg2).type
    return issubclass(first, second)


def converted(tensor, dtype):
    """Of another dtype. Floats become ints through ints of 32 bits, or 64, of which what is too large or none is
    the least; small ints are the last bits of that."""
    if tensor.dtype.is_floating_point and not dtype.is_floating_point and dtype is not torch.bool:
        if dtype is not torch.int64:
            tensor = torch.where(torch.abs(tensor) < 2.0 ** 31, tensor.to(torch.float64), -2.0 ** 31)
        tensor = tensor.to(torch.int64)
    return tensor.to(dtype)


# ---- What a dtype holds -------------------------------------------------------------------------

class iinfo:
    """The range of an int dtype."""

    __module__ = "numpy"

    def __init__(self, type):
        self.dtype = dtype_of(type)
        self.kind, self.bits = self.dtype.kind, 8 * self.dtype.itemsize
        if self.kind not in "iu":
            raise ValueError(f"Invalid integer data type '{self.kind}'.")
        self.min, self.max = _RANGES[self.dtype._torch]

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


class finfo:
    """How fine and how large floats of a dtype are."""

    __module__ = "numpy"

    def __init__(self, dtype):
        self.dtype = dtype_of(dtype)
        if self.dtype.kind != "f":
            raise ValueError(f"data type {self.dtype.type!r} not inexact")
        known = torch.finfo(self.dtype._torch)
        scalar = self.dtype.type
        self.bits = 8 * self.dtype.itemsize
        self.nmant = {16: 10, 32: 23, 64: 52}[self.bits]
        self.precision = {16: 3, 32: 6, 64: 15}[self.bits]
        self.eps, self.max, self.min = scalar(known.eps), scalar(known.max), scalar(known.min)
        self.epsneg = scalar(known.eps / 2)
        self.tiny = self.smallest_normal = scalar(known.tiny)
        self.smallest_subnormal = scalar(known.tiny * known.eps)
        self.resolution = scalar(float(f"1e-{self.precision}"))

    def __repr__(self):
        return (f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, "
                f"dtype={self.dtype})")

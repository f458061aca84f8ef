"""The operators of arrays, and the methods that are functions of `numpy` with the array in front.

    a + b      add(a, b), by its short way (`_quick`) where that applies
    a.sum()    numpy.sum(a)

They are put into the class `ndarray` when this file is read, as tables list them.
"""
import torch
from numpy import _memory
from numpy._array import is_operand, library, ndarray, wrap_result

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
        function = library(name)
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
    setattr(ndarray, f"__{name}__", lambda self: library(ufunc)(self))


def _equality(ufunc, of_others):
    def method(self, other):
        if isinstance(other, torch.Tensor):
            return other == self._tensor if ufunc == "equal" else NotImplemented
        if other is None or isinstance(other, str):
            return wrap_result(_memory.full(self._tensor.shape, of_others))
        return NotImplemented if _cannot(other) else library(ufunc)(self, other)

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
        return library(name)(self, *args, **kwargs)

    method.__name__ = name
    setattr(ndarray, name, method)


for _name in _METHODS:
    _install_method(_name)

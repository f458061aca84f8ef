"""Universal functions: one operation on every element, of operands that are broadcast together.

    add(a, 1)              np.add: of arrays, scalars, numbers, nested lists
    add(a, b, out=c)       written into c

What they compute is tensor operators; what is here is in which dtype. Each is a row of a table: its
name, in which dtypes it computes (its domain), and the operators that do it (`_kernels`).

    same      in the dtype that the operands have in common
    float     in floats: those that hold the ints
    quotient  in floats, of ints in float64
    truth     as `same`, and gives bools
    logical   of bools
    bits      as `same`, of bools and ints only
"""
import math
import operator

import torch
from numpy import _kernels, _memory, _quick
from numpy._array import ndarray, to_tensor_result, wrap, wrap_result
from numpy._values import asarray, operand
from numpy._dtypes import (OF_TORCH, can_cast, check_range, dtype_of, float_for, int_range, promote,
                           weak_dtype)
from numpy._scalars import float64, make

_NUMBERS = (int, float, bool)
_FLOAT64S = (float64, float, int)
_OF_NUMBERS = {"exp": math.exp, "log": math.log, "log2": math.log2, "sin": math.sin, "cos": math.cos}


# Operators whose second operand may be a number, how they are called where the first is one, and those that
# write into the first.
_WITH_NUMBERS = frozenset("add subtract multiply divide equal not_equal less less_equal greater greater_equal".split())
_AFTER_NUMBERS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}
_IN_PLACE = {"add": torch.Tensor.add_, "subtract": torch.Tensor.sub_, "multiply": torch.Tensor.mul_,
             "divide": torch.Tensor.div_}


def _no_quick(a, b):
    return None


class UFuncTypeError(TypeError):
    """Operands of a dtype that an operation is not for."""

    __module__ = "numpy._core._exceptions"


def no_loop(name, a, b):
    texts = ", ".join(f"dtype('<U{len(each)}')" if isinstance(each, str) else repr(asarray(each).dtype)
                      for each in (a, b))
    return UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types "
                          f"({texts}) -> None")


def _not_supported(name):
    return TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely "
                     "coerced to any supported types according to the casting rule ''safe''")


class _Mismatch(ValueError):
    """Shapes that do not fit; for a script it is a ValueError."""

    tensors = ()


_Mismatch.__name__ = _Mismatch.__qualname__ = "ValueError"
_Mismatch.__module__ = "builtins"


def _shapes_do_not_fit(tensors):
    shapes = " ".join(str(tuple(each.shape)).replace(" ", "") for each in tensors)
    error = _Mismatch(f"operands could not be broadcast together with shapes {shapes} ")
    error.tensors = tensors
    return error


def _value(given, name, others):
    """A tensor, or a number of Python's, which gives way."""
    kind = type(given)
    if kind is ndarray:
        return given._tensor
    if kind in _NUMBERS:
        return given
    if isinstance(given, str):
        raise no_loop(name, *others) if len(others) == 2 else _not_supported(name)
    return operand(given)


class ufunc:
    __module__ = "numpy"

    def __init__(self, name, nin, domain, kernel, bools=None, nout=1):
        self.__name__ = name
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self._domain, self._kernel = domain, kernel
        # What is done with bools: another operator, a dtype to compute in, or a text: an error.
        self._bools = bools
        self._of_number = _OF_NUMBERS.get(name)
        self._own_dtypes = () if nout != 1 else _quick.own_dtypes(domain)
        # The short way: the result of two operands, or None.
        self.quick = _no_quick if nout != 1 or nin != 2 else _quick.pair(
            kernel, domain, name in _WITH_NUMBERS, _AFTER_NUMBERS.get(name))
        self.quick_in_place = None if name not in _IN_PLACE else _quick.in_place(_IN_PLACE[name], domain)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *operands, out=None, where=True, dtype=None, casting="same_kind", order="K",
                 subok=True):
        if len(operands) == self.nargs and self.nout == 1 and out is None:
            operands, out = operands[:self.nin], operands[self.nin]
        if len(operands) != self.nin:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but "
                            f"{len(operands)} were given")
        if out is None and where is True and dtype is None:
            found = self._quickly(operands)
            if found is not None:
                return found
            for each in operands:
                if type(each) is complex or getattr(type(each), "_is_complex_number", False):
                    from numpy._complex_arrays import form

                    return form(self.__name__, operands)
            if self._of_number is not None and type(operands[0]) in _FLOAT64S:
                found = self._by_number(operands[0])
                if found is not None:
                    return found
            result = self.on_tensors(operands)
            if self.nout == 2:
                return tuple([wrap_result(each) for each in result])
            for each in operands:
                if isinstance(each, torch.Tensor):
                    return to_tensor_result(result)
            return wrap_result(result)
        return self._with_options(operands, out, where, dtype, casting)

    def _quickly(self, operands):
        if self.nin == 2:
            return self.quick(*operands)
        if type(operands[0]) is ndarray and operands[0]._tensor.dtype in self._own_dtypes:
            return wrap_result(self._kernel(operands[0]._tensor))
        return None

    def _with_options(self, operands, out, where, dtype, casting):
        if self.nout == 2:
            raise TypeError(f"{self.__name__}() with out=, where= or dtype= is not there")
        if isinstance(out, tuple):
            out, = out
        try:
            result = self.on_tensors(operands, None if dtype is None else dtype_of(dtype)._torch)
        except _Mismatch as error:
            if isinstance(out, ndarray):
                raise _shapes_do_not_fit([*error.tensors, out._tensor]) from None
            raise
        if out is None and where is not True:
            raise TypeError("where= without out= leaves elements undefined: give out=")
        return wrap_result(result) if out is None else self.put(out, result, where, casting)

    def put(self, out, result, where=True, casting="same_kind"):
        """Writes a result into an array, as `a += b` does."""
        if not isinstance(out, ndarray):
            raise TypeError("return arrays must be of ArrayType")
        source, target = OF_TORCH[result.dtype], out.dtype
        if source is not target and not can_cast(source, target, casting):
            raise UFuncTypeError(f"Cannot cast ufunc '{self.__name__}' output from {source!r} to {target!r} "
                                 f"with casting rule '{casting}'")
        place = out.writable_tensor()
        common = _broadcast_shape([result, place])
        if common is None:
            raise _shapes_do_not_fit([*[result] * self.nin, place])
        if common != tuple(place.shape):
            raise ValueError(f"non-broadcastable output operand with shape {_text(place.shape)} doesn't match "
                             f"the broadcast shape {_text(common)}")
        if where is not True:
            result = torch.where(operand(where).to(torch.bool), result.to(place.dtype), place)
        place.copy_(result)
        return out

    def _by_number(self, number):
        """Of one float64 the C library's function gives NumPy's last digit more often than the operator of
        tensors; None where that raises."""
        try:
            return make(torch.float64, self._of_number(number))
        except (ValueError, OverflowError):
            return None

    def on_tensors(self, operands, dtype=None):
        """The result as a tensor, or a pair of them."""
        values = [_value(each, self.__name__, operands) for each in operands]
        tensors = self._in_common_dtype(values, dtype)
        if self._domain == "bits" and tensors[0].dtype.is_floating_point:
            raise _not_supported(self.__name__)
        of_bools = self._bools is not None and tensors[0].dtype is torch.bool
        try:
            return self._of_bools(tensors) if of_bools else self._kernel(*tensors)
        except RuntimeError:
            if _broadcast_shape(tensors) is None:
                raise _shapes_do_not_fit(tensors) from None
            raise

    def _in_common_dtype(self, values, dtype):
        """Tensors of the dtype in which to compute; numbers become tensors without dimensions."""
        common = dtype
        if common is None:
            common = self._common_dtype(values)
        if self._domain == "logical":
            return [each != 0 if isinstance(each, torch.Tensor) else _memory.tensor(bool(each)) for each in values]
        if self._domain == "float":
            common = float_for(common)
        elif self._domain == "quotient" and not common.is_floating_point:
            common = torch.float64
        tensors = []
        for each in values:
            if isinstance(each, torch.Tensor):
                tensors.append(each if each.dtype is common else each.to(common))
            else:
                tensors.append(_tensor_of(each, common))
        return tensors

    def _common_dtype(self, values):
        common, kinds = None, [type(each) for each in values]
        for each in values:
            if isinstance(each, torch.Tensor):
                # Floats have to hold each operand, not what ints have in common.
                alone = float not in kinds and not (int in kinds and each.dtype is torch.bool)
                own = float_for(each.dtype) if self._domain == "float" and alone else each.dtype
                common = own if common is None else promote(common, own)
        if common is None:
            return torch.float64 if float in kinds else torch.int64 if int in kinds else torch.bool
        for each in values:
            if not isinstance(each, torch.Tensor):
                common = weak_dtype(common, each)
                if self._domain == "truth" and type(each) is int and not _holds(each, common):
                    common = torch.int64
        return common

    def _of_bools(self, tensors):
        if isinstance(self._bools, str):
            raise TypeError(self._bools or str(_not_supported(self.__name__)))
        if isinstance(self._bools, torch.dtype):
            return self._kernel(*[each.to(self._bools) for each in tensors])
        return self._bools(*tensors)

    # ---- Of two operands: over an axis, and all pairs ----

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None):
        """All elements along an axis joined by the operation: `np.add.reduce(a)`."""
        import numpy

        name = _REDUCTIONS.get(self.__name__)
        if name is None:
            raise TypeError(f"{self.__name__}.reduce is not there")
        options = {"dtype": dtype} if name in ("sum", "prod") else {}
        if initial is not None:
            options["initial"] = initial
        return getattr(numpy, name)(asarray(array), axis=axis, out=out, keepdims=keepdims, **options)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """What is joined so far, for each element along an axis: `np.maximum.accumulate(a)`."""
        import numpy

        given = asarray(array)
        name = _ACCUMULATIONS.get(self.__name__)
        if name is not None:
            return getattr(numpy, name)(given, axis=axis, dtype=dtype, out=out)
        if self.nin != 2 or dtype is not None or out is not None:
            raise ValueError("accumulate only supported for binary functions")
        rows = list(given._tensor.movedim(axis, 0))
        for i in range(1, len(rows)):
            rows[i] = self.on_tensors([wrap(rows[i - 1]), wrap(rows[i])])
        return wrap(torch.stack(rows).movedim(0, axis)) if rows else given.copy()

    def outer(self, A, B, **options):
        """The operation of all pairs: `np.subtract.outer(a, b)`."""
        first, second = operand(A), operand(B)
        return self(wrap(first.reshape(tuple(first.shape) + (1,) * second.dim())), wrap(second), **options)

    def at(self, a, indices, b=None):
        """In place, one element after the other, so that an index may occur twice."""
        if self.__name__ == "add":
            place = a.writable_tensor()
            if place.dim() == 1 and not isinstance(indices, tuple):
                index = operand(indices).to(torch.int64)
                values = operand(b).to(place.dtype).expand(index.shape)
                place.index_add_(0, torch.where(index < 0, index + place.size(0), index).reshape(-1),
                                 values.reshape(-1))
                return
        raise NotImplementedError("ufunc.at is there for np.add and one dimension")


def _holds(number, dtype):
    if dtype.is_floating_point or dtype is torch.bool:
        return True
    least, greatest = int_range(dtype)
    return least <= number <= greatest


def _tensor_of(number, dtype):
    check_range(number, dtype)
    return _memory.tensor(number, dtype=dtype)


def _text(shape):
    return str(tuple(shape)).replace(" ", "")


def _broadcast_shape(tensors):
    """The common shape; None where there is none."""
    rank = max(each.dim() for each in tensors)
    shape = [1] * rank
    for each in tensors:
        for i, size in enumerate(each.shape, rank - each.dim()):
            if size != 1:
                if shape[i] not in (1, size):
                    return None
                shape[i] = size
    return tuple(shape)


_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
               "logical_or": "any"}
_ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod"}

# Names, operands, domain, and what is done with bools where that is something else.
_NO_SUBTRACT = ("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
                "operator, or the logical_xor function instead.")
_NO_NEGATIVE = ("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
                "logical_not function instead.")
_SMALL_INT = torch.int8
_ROWS = [
    ("add", 2, "same", torch.logical_or), ("subtract", 2, "same", _NO_SUBTRACT),
    ("multiply", 2, "same", torch.logical_and), ("divide true_divide", 2, "quotient"),
    ("floor_divide", 2, "same", _SMALL_INT), ("remainder mod", 2, "same", _SMALL_INT),
    ("fmod", 2, "same", _SMALL_INT), ("power pow", 2, "same", _SMALL_INT), ("float_power", 2, "float"),
    ("maximum", 2, "same", torch.logical_or), ("minimum", 2, "same", torch.logical_and),
    ("fmax", 2, "same", torch.logical_or), ("fmin", 2, "same", torch.logical_and),
    ("gcd", 2, "bits", ""), ("lcm", 2, "bits", ""),
    ("negative", 1, "same", _NO_NEGATIVE), ("positive", 1, "same", ""), ("absolute abs", 1, "same"),
    ("fabs", 1, "float"), ("sign", 1, "same", ""), ("square", 1, "same", _SMALL_INT),
    ("reciprocal", 1, "same", _SMALL_INT), ("conjugate conj", 1, "same", _SMALL_INT),
    ("floor", 1, "same"), ("ceil", 1, "same"), ("trunc", 1, "same"), ("rint", 1, "float"),
    ("equal", 2, "truth"), ("not_equal", 2, "truth"), ("less", 2, "truth"), ("less_equal", 2, "truth"),
    ("greater", 2, "truth"), ("greater_equal", 2, "truth"),
    ("isnan", 1, "truth"), ("isinf", 1, "truth"), ("isfinite", 1, "truth"), ("signbit", 1, "float"),
    ("logical_and", 2, "logical"), ("logical_or", 2, "logical"), ("logical_xor", 2, "logical"),
    ("logical_not", 1, "logical"),
    ("bitwise_and", 2, "bits"), ("bitwise_or", 2, "bits"), ("bitwise_xor", 2, "bits"),
    ("invert bitwise_not bitwise_invert", 1, "bits"),
    ("left_shift bitwise_left_shift", 2, "bits", _SMALL_INT),
    ("right_shift bitwise_right_shift", 2, "bits", _SMALL_INT),
    ("arctan2 atan2", 2, "float"), ("hypot", 2, "float"), ("logaddexp", 2, "float"), ("logaddexp2", 2, "float"),
    ("copysign", 2, "float"), ("heaviside", 2, "float"), ("ldexp", 2, "float"),
    ("arcsin asin", 1, "float"), ("arccos acos", 1, "float"), ("arctan atan", 1, "float"),
    ("arcsinh asinh", 1, "float"), ("arccosh acosh", 1, "float"), ("arctanh atanh", 1, "float"),
    ("deg2rad radians", 1, "float"), ("rad2deg degrees", 1, "float"),
    *[(each, 1, "float") for each in "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh"
      .split()],
]


def _fill(names):
    for row in _ROWS:
        first = row[0].split()[0]
        made = ufunc(first, row[1], row[2], getattr(_kernels, first, None) or getattr(torch, first),
                     row[3] if len(row) > 3 else None)
        for name in row[0].split():
            names[name] = made
    for name, nin in (("divmod", 2), ("modf", 1)):
        names[name] = ufunc(name, nin, "same" if nin == 2 else "float", getattr(_kernels, name), _SMALL_INT, 2)


_fill(globals())

"""What kind of number a value is: `Number`, `Complex`, `Real`, `Rational`, `Integral`, each above the next.

    isinstance(3, Integral), isinstance(2.5, Integral), isinstance(np.float32(1), Real)      True, False, True

Nothing is computed here. A class of the script's own may be a `Number`; the operations that CPython's other
classes ask of theirs, and add to them, are not there.
"""
import sys
from abc import ABCMeta


class _Tower(ABCMeta):
    """`_builtin` and, once NumPy is there, its classes `_numpy` hold what is such a number besides subclasses."""

    def __instancecheck__(cls, value):
        return cls.__subclasscheck__(type(value))

    def __subclasscheck__(cls, kind):
        if cls in kind.__mro__ or issubclass(kind, cls._builtin):
            return True
        numpy = sys.modules.get("numpy")
        return numpy is not None and any([issubclass(kind, getattr(numpy, name)) for name in cls._numpy])


class Number(metaclass=_Tower):
    __slots__ = ()
    _builtin, _numpy = (int, float, complex), ("number",)
    __hash__ = None


class Complex(Number):
    __slots__ = ()

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        if cls.__module__ not in (__name__, "fractions"):
            raise NotImplementedError("a class of numbers derives from `numbers.Number` here")


class Real(Complex):
    __slots__ = ()
    _builtin, _numpy = (int, float), ("floating", "integer")


class Rational(Real):
    __slots__ = ()
    _builtin, _numpy = (int,), ("integer",)


class Integral(Rational):
    __slots__ = ()

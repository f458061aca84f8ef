# Names that scripts import from `typing_extensions`.
import warnings

from typing_extensions import LiteralString, TypeVarTuple, Unpack, assert_never, assert_type, deprecated, override


class Base:
    def scale(self, x: LiteralString) -> float:
        return 1.0


class Derived(Base):
    @override
    def scale(self, x: LiteralString) -> float:
        return 2.0


Shape = TypeVarTuple("Shape")


def first(*sizes: Unpack[Shape]) -> int:
    return sizes[0]


@deprecated("use `first`")
def old(x):
    """Doubles."""
    return x * 2


@deprecated("quietly", category=None)
def quiet(x):
    return x


print(Derived().scale("x"), Derived.scale.__override__, first(3, 4), assert_type(5, int), LiteralString, Shape)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(old(2), quiet(3), old.__deprecated__, quiet.__deprecated__, old.__name__, old.__doc__)
print([(each.category.__name__, str(each.message), each.lineno) for each in told])
try:
    assert_never("anything")
except AssertionError as error:
    print(error)

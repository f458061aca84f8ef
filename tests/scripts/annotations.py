# Annotations are kept and change nothing.
from typing import Dict, List, Optional, Tuple, Union, Callable, Any

count: int = 0
names: List[str] = ["a"]
later: "Undefined"
table: Dict[str, Tuple[int, ...]] = {}


def f(x: int, y: "str" = "s", *args: float, z: Optional[int] = None, **kw: Any) -> Union[int, str]:
    inner: list[int] = [x]
    return inner[0] if z is None else y


class C:
    a: int
    b: float = 2.5

    def method(self: "C") -> "C":
        return self


print(f(1), f(1, z=2), C.b, hasattr(C, "a"), C().method().b, count, names, table)
print(f.__annotations__["x"], f.__annotations__["y"], C.__annotations__["b"])


def g(callback: Callable[[int], int], n: "int | None" = 3) -> int:
    return callback(n)


print(g(lambda v: v * 2))


def optional(x: int | None = None, y: str | list[int] | None = "") -> int | str:
    return y if x is None else x


either = int | None
print(optional(), optional(4), optional.__annotations__["x"], either, repr(int | str | None), int | int, int | (str | int), (int | str) | None)
print(isinstance(3, either), isinstance(None, either), isinstance("s", either), isinstance("s", int | str), issubclass(bool, int | str), isinstance(C(), C | None))
print((int | str) == (str | int), (int | str) == (int | float), hash(int | str) == hash(str | int), {int | None: 1}[None | int], None | C == C | None)
for bad in (lambda: int | 3, lambda: 3 | int, lambda: isinstance(3, 3), lambda: None | None):
    try:
        print(bad())
    except TypeError as error:
        print(error)

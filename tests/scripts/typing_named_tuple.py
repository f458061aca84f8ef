# Classes below `typing.NamedTuple`.
from typing import NamedTuple
class P(NamedTuple):
    """doc"""
    x: int
    y: int = 2
    def norm(self):
        return self.x ** 2 + self.y ** 2
p = P(3)
print(p, p.norm(), p.x, p[1], P._fields, P._field_defaults, p == (3, 2), isinstance(p, tuple), P.__doc__)
print(p._replace(x=5), P(1, y=4)._asdict(), P._make([7, 8]))
x, y = p
print(x, y, hash(p) == hash((3, 2)), len(p))
class Q(P):
    z = 3
print(Q(1), Q(1).z)
try:
    P()
except TypeError as e:
    print(e)
try:
    p.x = 1
except AttributeError as e:
    print(type(e).__name__)
try:
    class R(NamedTuple):
        a: int = 1
        b: int
except TypeError as e:
    print(e)
N = NamedTuple("N", [("a", int), ("b", str)])
print(N(1, "b"), N._fields)
match p:
    case P(x, y): print("matched", x, y)

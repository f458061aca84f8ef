# Data classes: fields, defaults, comparison, replace.
from dataclasses import dataclass, field


@dataclass
class Point:
    x: float
    y: float = 0.0
    tags: list = field(default_factory=list)

    def norm(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


p, q = Point(3, 4), Point(3, 4)
p.tags.append("a")
print(p, q, p == q, Point(1) == Point(1, 0.0), p.norm())
print(Point(x=1, y=2), Point(5).tags)


@dataclass
class Named(Point):
    name: str = "none"


print(Named(1, 2, name="n"))


@dataclass(frozen=True)
class Fixed:
    a: int
    b: int = 2


f = Fixed(1)
print(f, {f: "x"}[Fixed(1, 2)])
try:
    f.a = 3
except Exception as error:
    print(type(error).__name__, error)
try:
    Point()
except TypeError as error:
    print(error)

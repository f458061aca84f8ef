# Operators through special methods: plain, reflected, in place, comparison.
class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __hash__(self):
        return hash((self.x, self.y))

    def __bool__(self):
        return bool(self.x or self.y)

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __truediv__(self, k):
        return Vector(self.x / k, self.y / k)

    def __rtruediv__(self, k):
        return f"{k} / {self}"

    def __floordiv__(self, k):
        return Vector(self.x // k, self.y // k)

    def __mod__(self, k):
        return Vector(self.x % k, self.y % k)

    def __pow__(self, k):
        return Vector(self.x**k, self.y**k)

    def __and__(self, other):
        return "and"

    def __ror__(self, other):
        return "ror"

    def __xor__(self, other):
        return "xor"

    def __lshift__(self, n):
        return f"<<{n}"

    def __invert__(self):
        return Vector(self.y, self.x)

    def __pos__(self):
        return self


a, b = Vector(3, 4), Vector(1, 2)
print(a + b, a - b, a * 2, 2 * a, a @ b, -a, abs(a), ~a, +a)
print(a == Vector(3, 4), a != b, b < a, a > b, sorted([a, b]), bool(Vector(0, 0)), not a)
print(a / 2, 1 / a, a // 2, a % 2, a**2, a & b, 5 | a, a ^ b, a << 3)
c = a
c += b
print(a, c is a, {a: 1}[Vector(4, 6)], a in [Vector(4, 6)])
try:
    a + 1
except TypeError as error:
    print(error)
try:
    a <= b
except TypeError as error:
    print(error)

# Subclasses of int and float: numbers with a class, attributes and methods of their own.
import copy
import json
import math
import operator
import pickle


class Id(int):
    def __new__(cls, value, note=""):
        made = super().__new__(cls, value)
        made.note = note
        return made

    def next(self):
        return Id(self + 1, self.note)

    def __repr__(self):
        return f"Id({int(self)}, {self.note!r})"


a = Id(5, "five")
print(a, repr(a), str(a), f"{a}", f"{a:03d}", f"{a!r:>20}", "%d %s %r %x %5.1f %c" % (a, a, a, a, a, Id(65)))
print(type(a), isinstance(a, int), issubclass(Id, int), Id.__mro__, type(a).__base__)
print(a.note, a.next(), a.next().note, a.__dict__, vars(a))
print(a + 1, 1 + a, a * a, -a, +a, ~a, abs(Id(-3)), a ** 2, 2 ** a, a / 2, 7 // a, a % 3, divmod(a, 2), divmod(17, a), pow(a, 2, 7), a << 1, a & 4, 3 | a, a ^ a)
for value in (a + 1, -a, +a, abs(a), a * 1, a.real, a.numerator, a.conjugate(), int(a), a.__index__(), round(a), round(a, -1), math.floor(a), divmod(a, 3)[0]):
    print(type(value).__name__, value, end="; ")
print()
print(a == 5, 5 == a, a != 5, a == 5.0, a < 6, 4 < a, a >= 5, a == Id(5), a is a, hash(a) == hash(5), a == "5", a in (1, 5), [1, 5].index(a), (5, 5).count(a))
print({5: "plain"}[a], {a: "mine"}[5], {a, 5, Id(5)}, {5.0: "float"}[a], a in {5}, a in range(3, 9), a in range(8))
print([10, 20, 30, 40, 50, 60][a], "abcdefgh"[a], "abcdefgh"[a:], list(range(a)), range(a), [0] * a, a * "ab", (1,) * a, b"x" * a)
print(bool(a), bool(Id(0)), not Id(0), 1 if Id(0) else 2, a and "yes", [x for x in range(20) if x < a])
print(math.sqrt(Id(16)), math.gcd(Id(12), 18), math.factorial(a), math.comb(a, Id(2)), math.isqrt(Id(17)), math.log2(Id(8)), math.fsum([a, a]), math.prod([a, 2]), math.hypot(Id(3), Id(4)), math.ldexp(1.0, a))
print(sum([a, a, 1]), max(a, 3), max([1, a, 2]), min(a, 9), sorted([Id(3), 1, Id(2)]), bin(a), hex(a), oct(a), chr(Id(65)), float(a), complex(a), int(a), bytes(Id(2)), str(a).zfill(3))
print(a.bit_length(), a.to_bytes(2, "big"), Id.from_bytes(b"\x01\x00", "big"), type(Id.from_bytes(b"\x01", "big")).__name__, a.as_integer_ratio(), a.imag, a.denominator)
print(json.dumps({"a": a, "b": [a, {"c": a}]}), json.dumps({a: 1}))
print(int.__add__(a, 2), int.__repr__(a), int.__eq__(a, 5), a.__add__(2), a.__eq__("x"), a.__lt__(9), operator.index(a), operator.add(a, 1))
b = pickle.loads(pickle.dumps(a))
print(repr(b), type(b).__name__, b.note, b == a)
c = copy.copy(a)
d = copy.deepcopy(a)
print(repr(c), repr(d), c.note, c is a, d is a)
a.other = 3
print(a.__dict__, hasattr(a, "other"))
del a.other
print(a.__dict__, isinstance(a + 1, Id), type(a + 1))
print(isinstance(True, int), isinstance(a, (str, int)), isinstance(a, float), int(Id("17")), Id("17") + 1, Id(2.9), Id(True))


class Plain(int):
    pass


p = Plain(3)


class Celsius(float):
    def __new__(cls, value):
        return float.__new__(cls, value)

    @property
    def fahrenheit(self):
        return self * 9 / 5 + 32

    def __add__(self, other):
        return Celsius(float(self) + float(other))

    __radd__ = __add__

    def __str__(self):
        return f"{float(self):.1f} C"

    def __repr__(self):
        return f"Celsius({float(self)!r})"


t = Celsius(20.5)
print(t, repr(t), [t], f"{t}", f"{t:.3f}", "%s %.2f %r" % (t, t, t), t.fahrenheit, type(t.fahrenheit).__name__)
print(t + 1, 1 + t, t + t, sum([t, t]), repr(t - 1), repr(2 * t), type(t * 2).__name__, type(t + 2).__name__, -t, abs(Celsius(-2.0)))
print(t == 20.5, 20.5 == t, t > 20, 21 > t, hash(t) == hash(20.5), {20.5: 1}[t], t == Celsius(20.5), t != 3, max(t, 3), min(t, 30))
print(int(t), round(t), round(t, 0), math.floor(t), math.ceil(t), math.trunc(t), math.sin(Celsius(0)), t.is_integer(), t.hex(), t.as_integer_ratio(), t // 3, t % 3, t ** 2, divmod(t, 4), pow(t, 2))
print(float(t), type(float(t)).__name__, complex(t), bool(t), bool(Celsius(0)), math.isnan(Celsius("nan")), Celsius("1e3"), float.__repr__(t), float.fromhex("0x1p3"), Celsius.fromhex("0x1p3"))
print(json.dumps([t]), pickle.loads(pickle.dumps(t)) == t, type(copy.deepcopy(t)).__name__, 1j + p, p * 1j, t == 20.5 + 0j)


class Deep(Plain):
    def __radd__(self, other):
        return ("radd", int(self), other)

    def __rsub__(self, other):
        return NotImplemented

    def __eq__(self, other):
        return "never" if other == "x" else int(self) == other

    def __hash__(self):
        return 99

    def __lt__(self, other):
        return "lt"

    def __bool__(self):
        return False

    def __index__(self):
        return 1000

    def __int__(self):
        return 2000

    def __float__(self):
        return 0.25

    def __neg__(self):
        return "negative"


p, q = Plain(3), Deep(4)
print(p, repr(p), p + q, 3 + q, q + 3, 2.5 + q, q + 2.5, p - q, q - p, 10 - q, Plain() + 1, Plain("12") + Plain(1))
print(q == "x", "x" == q, q == 4, 4 == q, q != 4, hash(q), q < 1, 1 > q, bool(q), [1, 2, 3, 4, 5][q], int(q), float(q), -q, math.sqrt(q), math.gcd(q, 6), list(range(q)), f"{q:d}", f"{q}")
big = Plain(10 ** 30)
print(big, big + 1, big == 10 ** 30, hash(big) == hash(10 ** 30), type(big).__name__, big // 10, -big, big.bit_length(), f"{big:,}", {10 ** 30: "big"}[big], pickle.loads(pickle.dumps(big)) == big)

for action in (lambda: Plain("x"), lambda: Plain(1, 2, 3), lambda: Plain([]), lambda: Celsius("warm"), lambda: p + "a", lambda: "a" + p, lambda: p & t, lambda: p.missing, lambda: [1][p], lambda: int.__new__(str, 1), lambda: int.__new__(3), lambda: int.__new__(bool, 1), lambda: float.__new__(Plain, 1), lambda: [1] * t, lambda: p @ p, lambda: ~t, lambda: t << 1, lambda: range(t), lambda: p < "a", lambda: len(p), lambda: p(), lambda: [1, 2][t], lambda: "abc"[t:], lambda: object.__new__(Plain), lambda: 1 // Plain(0), lambda: Plain(-1) << p - 9):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


class Slotted(int):
    __slots__ = ()


class Counted(int):
    made = 0

    def __init__(self, value):
        Counted.made += 1
        self.value = value


s = Slotted(7)
print(s, s + 1)
try:
    s.x = 1
except AttributeError as error:
    print(error)
print(Counted(4), Counted(5).value, Counted.made)
x = Plain(1)
x += 4
print(x, type(x).__name__)
x = Deep(1)
print([Plain(2), Plain(1)] == [2, 1], (Plain(1), 2) < (1, Plain(3)), {Plain(1): "a"} == {1: "a"}, sorted({Plain(3): 1, 2: 2}))
match Plain(3):
    case int(n) if n == 4:
        print("four")
    case 3:
        print("three")
match Celsius(1.5):
    case float() as f:
        print("float", repr(f))
print(divmod(Celsius(7), Plain(2)), Plain(7) / Plain(2), Plain(2) ** -1, Plain(7) // Celsius(2))


class Meters(float):
    """Keeps its class."""

    def _with(name):
        operation = getattr(float, name)

        def method(self, other):
            result = operation(self, other)
            return result if result is NotImplemented else type(self)(result)
        return method

    __add__, __radd__, __sub__, __mul__, __rmul__, __truediv__ = map(
        _with, ("__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__"))


class Feet(Meters):
    pass


m = Meters(3)
for result in (m + 1, 1 + m, m * 2, 2 * m, m - 1, 1 - m, m / 4, m + Feet(1), Feet(1) + m, sum([m, m])):
    print(type(result).__name__, result, end="; ")
print()

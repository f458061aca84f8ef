# Exact quotients.
import copy
import math
import pickle
from fractions import Fraction as F

print(F(1, 3), F(6, -4), F(), F(5), F("3/4"), F(" -0.125 "), F("1e-2"), F("2.5E1"), F(0.5), F(0.1), F(F(1, 2), 3), F("1_000/3"), repr(F(7, 21)))
a, b = F(1, 3), F(1, 6)
print(a + b, a - b, a * b, a / b, a // b, a % b, divmod(F(7, 2), F(1, 3)), -a, +a, abs(F(-1, 2)), a ** 2, a ** -2, F(1, 4) ** F(1, 2), 2 ** F(3), 2 ** F(1, 2), F(2) ** 0.5)
print(a + 1, 1 + a, a - 1, 1 - a, a * 2, 2 * a, a / 2, 2 / a, a + 0.5, 0.5 * a, a + 1j, 7 // F(2, 3), 7 % F(2, 3), divmod(1, F(2, 5)), 1.0 // a)
print(a == F(2, 6), a == 1 / 3, F(1, 2) == 0.5, F(4, 2) == 2, 2 == F(4, 2), a != b, a < b, a > 0.3, 0.25 < a, a <= F(1, 3), F(1) >= 1, F(1, 2) == 0.5 + 0j, sorted([F(1, 2), F(1, 3), 0.4]))
print(int(F(7, 2)), int(F(-7, 2)), float(F(1, 4)), math.floor(F(-7, 2)), math.ceil(F(-7, 2)), math.trunc(F(7, 2)), round(F(7, 2)), round(F(5, 2)), round(F(22, 7), 2), round(F(1234, 1), -2), bool(F(0)), bool(F(1, 9)))
print(hash(F(1, 2)) == hash(0.5), hash(F(3)) == hash(3), hash(F(-1, 3)) == hash(F(-1, 3)), {F(1, 2): "half"}[0.5], hash(F(1, 3)))
print(F(math.pi).limit_denominator(1000), F("3.1415926535897932").limit_denominator(100), F(1, 3).limit_denominator(2), F(1, 3).as_integer_ratio(), F.from_float(0.75))
print(F(3, 4).numerator, F(3, 4).denominator, F(1, 2).conjugate(), F(1, 2).real, F(1, 2).imag, sum([F(1, n) for n in range(1, 6)]), max(F(1, 2), F(2, 3)), math.sqrt(F(1, 4)))
print(pickle.loads(pickle.dumps(F(2, 7))), copy.copy(a) is a, copy.deepcopy(a) == a, f"{F(1, 2)}", str([a]), isinstance(a, F))
for action in (lambda: F(1, 0), lambda: F("x"), lambda: F(1.5, 2), lambda: F([]), lambda: F(1, 2) / 0, lambda: F(0) ** -1, lambda: F(1, 2) + "a", lambda: F("1/0"), lambda: F(1, 2) % 0, lambda: F(1, 2) < "a"):
    try:
        print(action())
    except (TypeError, ValueError, ZeroDivisionError) as error:
        print(type(error).__name__, error)

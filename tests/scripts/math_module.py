# tolerance: 1e-14
# The math module.
import math
from math import pi, sqrt

print(pi, math.e, math.tau, math.inf, math.nan, sqrt(2), math.floor(2.7), math.ceil(2.1), math.trunc(-2.7), math.floor(-2.5))
print(math.sin(1), math.cos(1), math.tan(1), math.asin(0.5), math.acos(0.5), math.atan(1), math.atan2(1, -1), math.sinh(1), math.cosh(1), math.tanh(1))
print(math.exp(1), math.log(10), math.log(8, 2), math.log2(8), math.log10(1000), math.log1p(1e-10), math.expm1(1e-10), math.pow(2, 0.5), math.hypot(3, 4))
print(math.gcd(12, 18), math.lcm(4, 6), math.factorial(10), math.comb(5, 2), math.perm(5, 2), math.isqrt(17), math.fsum([0.1] * 10), math.prod([1, 2, 3, 4]))
print(math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(1.0), math.isclose(0.1 + 0.2, 0.3), math.copysign(1, -0.0), math.fabs(-3), math.fmod(-7, 3), math.modf(2.5), math.degrees(pi), math.radians(180))
print(math.erf(0.5), math.erfc(0.5), math.gamma(5), math.lgamma(10), math.dist([0, 0], [3, 4]), math.frexp(8.0), math.ldexp(0.5, 4), math.cbrt(27))
for f, x in [(math.sqrt, -1), (math.log, 0), (math.acos, 2), (math.factorial, -1), (math.exp, 1000)]:
    try:
        f(x)
    except (ValueError, OverflowError) as error:
        print(type(error).__name__, error)

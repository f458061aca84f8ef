"""Random numbers: CPython's own for the same seed.

The generator itself (mt19937, seeded by an array of 32-bit words) is native: `_random.Generator`.
What is here turns its draws into numbers, choices and orders exactly as CPython does, so the same
seed gives the same sequence in both.

    random.seed(0)
    random.random()          # 0.8444218515250481
"""
import math as _math
import operator as _operator
import _random

_NV_MAGIC = 4 * _math.exp(-0.5) / _math.sqrt(2.0)
_TWO_PI = 2.0 * _math.pi
_LOG_4 = _math.log(4.0)
_SG_MAGIC = 1.0 + _math.log(4.5)


class Random:
    def __init__(self, x=None):
        self._generator = _random.Generator()
        self.gauss_next = None
        self.seed(x)

    def seed(self, a=None, version=2):
        self._generator.seed(a)
        self.gauss_next = None

    def __reduce__(self):
        return type(self), (), self.getstate()

    def __setstate__(self, state):
        self.setstate(state)

    def random(self):
        return self._generator.random()

    def getrandbits(self, k):
        return self._generator.getrandbits(k)

    def getstate(self):
        return (3, self._generator.getstate(), self.gauss_next)

    def setstate(self, state):
        _, words, self.gauss_next = state
        self._generator.setstate(words)

    def _randbelow(self, n):
        k = n.bit_length()
        draw = self._generator.getrandbits
        r = draw(k)
        while r >= n:
            r = draw(k)
        return r

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start = _operator.index(start)
            if start > 0:
                return self._randbelow(start)
            raise ValueError("empty range for randrange()")
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._randbelow(width)
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        if step > 0:
            n = (width + step - 1) // step
        elif step < 0:
            n = (width + step + 1) // step
        else:
            raise ValueError("zero step for randrange()")
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._randbelow(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def randbytes(self, n):
        # The bytes of one large int, the lowest first: four of each draw.
        result = []
        while len(result) < n:
            count = min(4, n - len(result))
            word = self.getrandbits(8 * count)
            result.extend([word >> (8 * i) & 255 for i in range(count)])
        return bytes(result)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._randbelow(len(seq))]

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._randbelow(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if not isinstance(population, (list, tuple, str, range, bytes)):
            from collections import deque

            if not isinstance(population, deque):
                raise TypeError("Population must be a sequence.  "
                                "For dicts or sets, use sorted(d).")
        n = len(population)
        if counts is not None:
            expanded = []
            for item, count in zip(population, counts):
                expanded.extend([item] * count)
            population = expanded
            n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        result = [None] * k
        setsize = 21
        if k > 5:
            setsize += 4 ** _math.ceil(_math.log(k * 3, 4))
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._randbelow(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            selected = set()
            for i in range(k):
                j = self._randbelow(n)
                while j in selected:
                    j = self._randbelow(n)
                selected.add(j)
                result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                n += 0.0
                return [population[_math.floor(self.random() * n)] for _ in range(k)]
            cum_weights = []
            total = 0
            for weight in weights:
                total += weight
                cum_weights.append(total)
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        hi = n - 1
        result = []
        for _ in range(k):
            point = self.random() * total
            low = 0
            high = hi
            while low < high:
                middle = (low + high) // 2
                if point < cum_weights[middle]:
                    high = middle
                else:
                    low = middle + 1
            result.append(population[low])
        return result

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u = 1.0 - u
            c = 1.0 - c
            low, high = high, low
        return low + (high - low) * _math.sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = _NV_MAGIC * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_math.log(u2):
                break
        return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            x2pi = self.random() * _TWO_PI
            g2rad = _math.sqrt(-2.0 * _math.log(1.0 - self.random()))
            z = _math.cos(x2pi) * g2rad
            self.gauss_next = _math.sin(x2pi) * g2rad
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _math.exp(self.normalvariate(mu, sigma))

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha > 1.0:
            return self._large_gamma(alpha, beta)
        if alpha == 1.0:
            return -_math.log(1.0 - self.random()) * beta
        return self._small_gamma(alpha, beta)

    def _large_gamma(self, alpha, beta):
        # Cheng (1977), with the squeeze of Fishman.
        ainv = _math.sqrt(2.0 * alpha - 1.0)
        bbb = alpha - _LOG_4
        ccc = alpha + ainv
        while True:
            u1 = self.random()
            if not 1e-7 < u1 < 0.9999999:
                continue
            u2 = 1.0 - self.random()
            v = _math.log(u1 / (1.0 - u1)) / ainv
            x = alpha * _math.exp(v)
            z = u1 * u1 * u2
            r = bbb + ccc * v - x
            if r + _SG_MAGIC - 4.5 * z >= 0.0 or r >= _math.log(z):
                return x * beta

    def _small_gamma(self, alpha, beta):
        # Ahrens and Dieter (1974): alpha below 1.
        while True:
            b = (_math.e + alpha) / _math.e
            p = b * self.random()
            if p <= 1.0:
                x = p ** (1.0 / alpha)
            else:
                x = -_math.log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    break
            elif u1 <= _math.exp(-x):
                break
        return x * beta

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return _TWO_PI * self.random()
        s = 0.5 / kappa
        r = s + _math.sqrt(1.0 + s * s)
        while True:
            z = _math.cos(_math.pi * self.random())
            d = z / (r + z)
            u2 = self.random()
            if u2 < 1.0 - d * d or u2 <= (1.0 - d) * _math.exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        angle = _math.acos(f) if self.random() > 0.5 else -_math.acos(f)
        return (mu + angle) % _TWO_PI

    def expovariate(self, lambd):
        return -_math.log(1.0 - self.random()) / lambd

    def paretovariate(self, alpha):
        u = 1.0 - self.random()
        return u ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        u = 1.0 - self.random()
        return alpha * (-_math.log(u)) ** (1.0 / beta)


class SystemRandom(Random):
    """Numbers of the system's own: seeds do nothing."""

    def seed(self, *args, **kwds):
        self._generator.seed(None)


_inst = Random()
seed = _inst.seed
random = _inst._generator.random
uniform = _inst.uniform
triangular = _inst.triangular
randint = _inst.randint
choice = _inst.choice
randrange = _inst.randrange
sample = _inst.sample
shuffle = _inst.shuffle
choices = _inst.choices
normalvariate = _inst.normalvariate
lognormvariate = _inst.lognormvariate
expovariate = _inst.expovariate
gauss = _inst.gauss
gammavariate = _inst.gammavariate
betavariate = _inst.betavariate
vonmisesvariate = _inst.vonmisesvariate
paretovariate = _inst.paretovariate
weibullvariate = _inst.weibullvariate
getstate = _inst.getstate
setstate = _inst.setstate
getrandbits = _inst._generator.getrandbits
randbytes = _inst.randbytes

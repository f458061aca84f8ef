# The random module: CPython's own numbers, every function, seeds of every kind.
import random


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


for seed in (0, 1, -5, True):
    random.seed(seed)
    print(repr(seed), random.random(), random.getrandbits(60))
random.seed(12)
print(random.uniform(2, 5), random.triangular(0, 10, 3), random.betavariate(2.0, 3.0), random.expovariate(0.5))
print(random.gammavariate(2.0, 1.0), random.gammavariate(0.5, 2.0), random.gammavariate(1.0, 2.0))
print(random.gauss(0, 1), random.gauss(5, 2), random.normalvariate(0, 1), random.lognormvariate(0, 0.25))
print(random.vonmisesvariate(0, 4), random.vonmisesvariate(1, 0), random.paretovariate(3), random.weibullvariate(1, 1.5))
print(random.randrange(10), random.randrange(5, 50, 5), random.randrange(10, 0, -3), random.randint(-3, 3))
print(random.choice([1, 2, 3]), random.choices("abc", k=5), random.choices([1, 2, 3], weights=[5, 1, 1], k=6),
      random.choices("xyz", cum_weights=[1, 2, 10], k=4))
print(random.sample(range(1000), 5), random.sample([1, 2, 3], 3), random.sample("ab", counts=[3, 4], k=5))
items = list(range(12))
random.shuffle(items)
print(items, random.randbytes(4), random.getrandbits(1), random.getrandbits(0))
state = random.getstate()
print(state[0], len(state[1]), state[2])
a = [random.random() for _ in range(3)]
random.setstate(state)
print(a == [random.random() for _ in range(3)])
r = random.Random(5)
s = random.Random(99)
print(r.random(), s.random(), r.gauss(), r.choice("abc"), s.sample(range(5), 2))


class Loaded(random.Random):
    def random(self):
        return 0.25


print(Loaded().uniform(0, 8), isinstance(random.SystemRandom().random(), float))
attempt("empty choice", lambda: random.choice([]))
attempt("randrange", lambda: random.randrange(0))
attempt("randrange 2", lambda: random.randrange(3, 3))
attempt("step", lambda: random.randrange(1, 5, 0))
attempt("randint", lambda: random.randint(5, 1))
attempt("sample", lambda: random.sample([1, 2], 3))
attempt("sample set", lambda: random.sample({1, 2}, 1))
attempt("weights", lambda: random.choices([1, 2], weights=[0, 0]))
attempt("weights 2", lambda: random.choices([1, 2], weights=[1]))
attempt("both", lambda: random.choices([1, 2], weights=[1, 1], cum_weights=[1, 2]))
attempt("bits", lambda: random.getrandbits(-1))
attempt("shuffle", lambda: random.shuffle((1, 2)))

from collections import deque

random.seed(0)
print(random.sample(deque(range(10), maxlen=20), 3))
attempt("sample a set", lambda: random.sample({1, 2, 3}, 2))

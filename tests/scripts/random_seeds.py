"""Seeds of every kind that `random.seed` takes, and the hashes of floats, which seed as well."""
import random

for seed in ("abc", "", b"xyz", "\0\0a", "q" * 111, "q" * 112, "q" * 128, "\u00e4\u20ac", 3.5, -3.5, 2.0, 1e300, -7, 2**62, True):
    random.seed(seed)
    print(repr(seed)[:20], random.random(), random.randint(0, 100), random.getrandbits(40))
print(random.Random("abc").random(), random.Random(b"abc").random())
for seed in ((1, 2), [1]):
    try:
        random.seed(seed)
    except TypeError as error:
        print(error)
print(hash(3.5), hash(0.1), hash(-2.75), hash(1e300), hash(5e-324), hash(float("inf")), hash(2.0), {0.5: 1}[1 / 2])

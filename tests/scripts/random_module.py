# The random module gives CPython's own numbers.
import random

random.seed(42)
print(random.random(), random.random(), random.randint(1, 100), random.randrange(10), random.uniform(1, 2))
print(random.choice("abcdef"), random.sample(range(10), 3), [random.randint(0, 9) for _ in range(10)])
a = list(range(8))
random.shuffle(a)
print(a, random.gauss(0, 1), random.getrandbits(16))
r = random.Random(7)
print(r.random(), r.randint(0, 1000))
random.seed(0)
print([round(random.random(), 6) for _ in range(3)])

# glint only
# Ints of more than 64 bits in compiled code: as arguments, constants, keys and results.
import torch

LARGE = 2**80
TABLE = {2**70: 2.0, (2**71, 1): 3.0}
calls = 0


@torch.compile
def of_argument(x, n):
    return x * float(n % 7) + (1.0 if n > LARGE else 0.0), n + 1


@torch.compile
def of_table(x, key):
    return x * TABLE[key], key


@torch.compile
def grows(x, n):
    for _ in range(5):
        n = n * n + 1
    return x + float(n % 11), n


@torch.compile
def hashes(x, words):
    value = 14695981039346656037
    for word in words:
        value = ((value ^ word) * 1099511628211) % 2**64
    return x + float(value % 10), value


class Counter:
    def __init__(self):
        self.total = 2**63


@torch.compile
def counts(x, counter):
    counter.total += 2**64
    return x + float(counter.total >> 63)


x = torch.ones(3)
for n in (5, 2**64, 2**64 + 1, 2**90, -(2**90), 5, 2**63 - 1, 2**63):
    print(n, of_argument(x, n))
for key in (2**70, (2**71, 1), 2.0**70):
    print(of_table(x, key))
for n in (2, 3, 2**33, 7):
    print(grows(x, n))
print(hashes(x, [1, 2, 3]), hashes(x, [4, 5]))
counter = Counter()
for _ in range(3):
    print(counts(x, counter), counter.total)
try:
    torch.compile(lambda x, n: x + n)(x, 2**70)
except OverflowError as error:
    print(error)

# A small program: primes by a sieve, written three ways.
def sieve(n):
    flags = [True] * (n + 1)
    flags[0:2] = [False, False]
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i::i] = [False] * len(flags[i * i::i])
    return [i for i, flag in enumerate(flags) if flag]


def generate():
    known = []
    n = 2
    while True:
        if all(n % p for p in known if p * p <= n):
            known.append(n)
            yield n
        n += 1


primes = sieve(100)
print(primes)
g = generate()
print([next(g) for _ in range(25)] == primes)
print(len(sieve(20000)), sum(sieve(1000)))


def factor(n):
    factors = {}
    p = 2
    while n > 1:
        while n % p == 0:
            factors[p] = factors.get(p, 0) + 1
            n //= p
        p += 1
    return factors


for n in (360, 97, 1001):
    print(n, " * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in factor(n).items()))

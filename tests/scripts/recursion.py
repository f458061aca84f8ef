# Deep and mutual recursion, and its limit.
import sys


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


print(depth(900))


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


print(even(100), odd(100))


def forever(n):
    return forever(n + 1)


try:
    forever(0)
except RecursionError as error:
    print(type(error).__name__, str(error).split(" in ")[0].split(" while")[0])


def hanoi(n, a="A", b="B", c="C"):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [a + c] + hanoi(n - 1, b, a, c)


print(len(hanoi(8)), hanoi(3))


def permutations(items):
    if len(items) <= 1:
        return [items]
    return [[x] + rest for i, x in enumerate(items) for rest in permutations(items[:i] + items[i + 1:])]


print(permutations([1, 2, 3]), sys.getrecursionlimit() >= 1000)
ackermann = lambda m, n: n + 1 if m == 0 else (ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1)))
print(ackermann(2, 3))

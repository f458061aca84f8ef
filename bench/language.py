"""The language without tensors: calls, loops, lists, dicts, objects, strings, generators."""

import time
from collections import deque


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def loop(n):
    total = 0
    for i in range(n):
        total += i
    return total


def while_loop(n):
    i = total = 0
    while i < n:
        total += i & 7
        i += 1
    return total


def lists(n):
    values = [i * 7919 % 1009 for i in range(n)]
    values.sort()
    kept = []
    for v in values:
        if v % 3 == 0:
            kept.append(v)
    kept.reverse()
    return sum(kept) + len([x for x in kept if x > 500]) + values[n // 2]


def dicts(n):
    counts = {}
    for i in range(n):
        key = i * 31 % 997
        counts[key] = counts.get(key, 0) + 1
    total = 0
    for key, value in counts.items():
        total += key * value
    names = {str(i): i for i in range(n // 10)}
    for i in range(n // 10):
        total += names[str(i)]
    return total


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def add(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


def objects(n):
    position, velocity = Vector(0.0, 0.0), Vector(1.0, 0.5)
    energy = 0.0
    for _ in range(n):
        position = position.add(velocity)
        energy += position.dot(velocity)
    return energy


def numbers(n):
    for i in range(n):
        yield i


def generators(n):
    return sum(x * 2 for x in numbers(n) if x % 2)


def strings(n):
    parts = []
    for i in range(n):
        parts.append(f"{i}:{i * 2}")
    text = ",".join(parts)
    return len(text.split(",")) + text.count("9")


def sort_tuples(n):
    rows = [(i * 7919 % 1009, str(i)) for i in range(n)]
    rows.sort()
    return rows[n // 2]


def compare_tuples(n):
    less = 0
    rows = [(i % 7, i % 5) for i in range(n)]
    for a, b in zip(rows, rows[1:]):
        if a < b:
            less += 1
        elif a == b:
            less -= 1
    return less


def deques(n):
    waiting = deque([1, 2, 3])
    total = 0
    for i in range(n):
        waiting.append(i)
        total += waiting.popleft()
    return total


CASES = [
    ("fib", fib, 27),
    ("loop", loop, 10000000),
    ("while_loop", while_loop, 3000000),
    ("lists", lists, 300000),
    ("dicts", dicts, 300000),
    ("objects", objects, 300000),
    ("generators", generators, 600000),
    ("strings", strings, 200000),
    ("sort_tuples", sort_tuples, 100000),
    ("compare_tuples", compare_tuples, 300000),
    ("deques", deques, 100000),
]

for name, f, n in CASES:
    fastest = 1e9
    for _ in range(5):
        start = time.perf_counter()
        f(n)
        fastest = min(fastest, time.perf_counter() - start)
    print(f"result {name} run {fastest * 1e6:.1f} us", flush=True)

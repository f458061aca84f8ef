# List, set and dict comprehensions and their scopes.
print([x for x in range(5)], [x * y for x in range(3) for y in range(3) if x != y])
print({x % 3 for x in range(10)}, {k: v for k, v in zip("abc", range(3))}, {len(w): w for w in ["a", "bb", "cc"]})
print([[j for j in range(i)] for i in range(4)], [i for row in [[1, 2], [3]] for i in row])
x = "outside"
print([x for x in "abc"], x)
print([y := 1, y**2], y)
values = [4, 8, 15]
print([last := v for v in values], last)
print([a if a % 2 else -a for a in range(5) if a])
print([(a, b) for a, b in {"k": 1}.items()], [f"{n:02}" for n in range(3)])


def f():
    n = 10
    return [n + i for i in range(3)], {i: [n] * i for i in range(3)}


print(f(), [*range(3), *"ab"], {**{"a": 1}, "b": 2}, (*[1], 2), {*[1, 2], 3})
matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)], list(zip(*matrix)))


class Scope:
    size = 3
    items = [i for i in range(size)]


print(Scope.items)

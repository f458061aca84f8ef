# Small functions as values.
square = lambda x: x * x
add = lambda x, y=10, *rest, z=0, **more: (x + y + z, rest, more)
print(square(7), add(1), add(1, 2, 3, z=4, w=5))
print((lambda: None)(), (lambda *a: a)(1, 2), (lambda x: lambda y: x - y)(5)(3))
print(sorted(["bb", "a", "ccc"], key=lambda s: -len(s)), list(map(lambda p: p[0] + p[1], [(1, 2), (3, 4)])))
print(list(filter(lambda n: n % 2, range(10))), max([3, -7, 5], key=lambda n: abs(n)))
table = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
print([table[op](7, 2) for op in "+-"], square.__name__)

"""Displays, calls and assignments of more parts than 16 bits count."""
n = 70000


def count(*positional, **named):
    return len(positional), len(named)


print(eval("count(" + "1, " * n + ")"))
print(eval("count(" + "".join(f"a{i}=1, " for i in range(n)) + ")"))
names = {}
exec(", ".join(f"a{i}" for i in range(n)) + f" = range({n})", names)
print(names["a0"], names[f"a{n - 1}"])

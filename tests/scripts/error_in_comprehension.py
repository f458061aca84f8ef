# Comprehensions and generator expressions have frames of their own.
def check(n):
    if n > 2:
        raise ValueError(f"{n} is too large")
    return n


print([check(n) for n in range(3)])
print(sum(check(n) for n in range(5)))

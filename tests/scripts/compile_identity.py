# tolerance: 1e-5
# Which object a name means, under compilation: the same one behind two names, and variables of functions
# that the compiled function makes.
import torch


@torch.compile
def spread(items):
    return [each * 2 for each in items]


one, other = torch.ones(2), torch.zeros(2)
print(spread([one, one]), spread([one, other]), spread([other, other]))


@torch.compile
def same(x, y):
    return x + 1 if x is y else x - 1


print(same(one, other), same(one, one), same(other, one))


@torch.compile
def first_of(a, b):
    return a["x"] * 10 + b["x"]


table = {"x": torch.ones(1)}
print(first_of(table, table), first_of({"x": torch.zeros(1)}, {"x": torch.ones(1) * 3}))

count = 0


@torch.compile
def counted(x):
    global count
    count += 1
    kept = x

    def inner(y, by=2):
        return y + kept * by

    return kept, inner(x)


print(counted(torch.ones(2)), counted(torch.zeros(2)), count)

# An index that is out of range in a dimension though the element that it counts up to is there is an
# error where several dimensions are indexed, in compiled code too (in which PyTorch words it by the
# line of its code).
import torch


def attempt(run, *arguments, words=True):
    try:
        print(run(*arguments).tolist())
    except (IndexError, RuntimeError) as error:
        print(error if words else "refused")


def read(x, i, j):
    return x[i, j] * 2


def read_behind(x, i, j):
    return x[:, i, j].sum(0)


def write(x, i, j):
    y = x + 1
    y[i, j] = 0.0
    return y


x = torch.arange(10.0).reshape(5, 2)
i = torch.tensor([0, 1])
for function, given in ((read, x), (read_behind, x[None]), (write, x)):
    compiled = torch.compile(function)
    for first, second in ((i, i), (i, i + 1), (i - 5, -i - 1), (i - 6, i), (i + 4, i), (i, i - 3), (i, i + 1)):
        attempt(compiled, given, first, second, words=False)
        attempt(function, given, first, second)

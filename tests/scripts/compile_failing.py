# Operators that fail by their operands' values, inside of what is compiled: the error is raised where
# the script can catch it, even if nobody looks at the result. (The record is of eager execution:
# PyTorch's compiler drops what nobody looks at.)
# option: --compile
import torch


def attempt(function, *arguments):
    try:
        print(function(*arguments))
    except (IndexError, RuntimeError) as error:
        print(type(error).__name__, "ZeroDivisionError" if "ZeroDivision" in str(error) else "index")


def unused(x, i):
    y = x[i]
    return x + 1


def caught(x, i):
    total = x + 1
    try:
        total = total + x[i]
    except IndexError:
        return "caught"
    return total


def divided(a, b):
    return a // b, a % b


def constant(x):
    return x[torch.tensor([5])]


x = torch.arange(6.0).reshape(2, 3)
for index in (torch.tensor([1, 0]), torch.tensor([5, 0]), torch.tensor([-2, 1])):
    attempt(unused, x, index)
    attempt(caught, x, index)
for divisor in (torch.tensor([2, 3]), torch.tensor([2, 0]), torch.tensor([-2, 3])):
    attempt(divided, torch.tensor([7, -7]), divisor)
attempt(constant, x)
attempt(constant, torch.ones(6))
a, b = torch.tensor([7, -7, 9223372036854775807]), torch.tensor([2, 2, 2])
print(torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"))
attempt(lambda: torch.div(a, torch.tensor(0), rounding_mode="trunc"))
attempt(lambda: a % 0)
print(torch.tensor([], dtype=torch.int64) // 0, torch.fmod(a, -4), torch.tensor([1.0]) // 0)
attempt(lambda a: a % 0, a)

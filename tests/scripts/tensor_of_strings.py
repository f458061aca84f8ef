# What `torch.tensor` says of strings: one in a list looks like a sequence without an end.
import torch

for value in ("a", ["a"], [["a"]], [1.0, "a"], [["a", 1]], ("ab",), [None], {"a": 1}):
    try:
        print(torch.tensor(value))
    except (TypeError, ValueError, RuntimeError) as error:
        print(value, type(error).__name__, error)
x = torch.tensor([3, 1, 2, 1])
print(torch.argsort(x, stable=True), x.argsort(stable=True, descending=True))
print(torch.argsort(x, dim=0, stable=True))

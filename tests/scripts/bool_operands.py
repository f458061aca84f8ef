"""Operators that take no bools, or take a bool scalar for a bool tensor, refuse them in PyTorch's words."""

import torch

b = torch.tensor([True, False, True])
i = torch.tensor([1, 0, 1])
x = torch.tensor([1.0, 0.5, -1.0])


def attempt(name, f):
    try:
        print(name, f())
    except (NotImplementedError, RuntimeError, TypeError) as error:
        print(name, type(error).__name__, error)


attempt("True - i", lambda: True - i)
attempt("i - True", lambda: i - True)
attempt("x - False", lambda: x - False)
attempt("True - b", lambda: True - b)
attempt("b - True", lambda: b - True)
attempt("b - 1", lambda: b - 1)
attempt("b - b", lambda: b - b)
attempt("i - b", lambda: i - b)
attempt("sub alpha", lambda: torch.sub(x, True, alpha=2))
attempt("sub_ alpha", lambda: x.clone().sub_(True, alpha=2))
attempt("sub of a mask", lambda: torch.sub(x, torch.tensor(True), alpha=2))
attempt("relu", lambda: b.relu())
attempt("functional relu", lambda: torch.nn.functional.relu(b))
attempt("topk", lambda: b.topk(2))
attempt("sum", lambda: b.sum() - i.sum())

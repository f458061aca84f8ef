"""Writes in place whose memory overlaps: refused where the result would depend on their order."""
import torch


def numbers():
    return torch.arange(6.0)


def rows():
    return torch.arange(6.0).view(2, 3)


def repeated():
    return torch.zeros(1, 3).expand(2, 3)


def assign_shifted(x=None):
    x = numbers()
    x[1:] = x[:-1]
    return x


def assign_first_element():
    x = numbers()
    x[:3] = x[5]
    return x


def assign_columns():
    x = rows()
    x[:, 0] = x[:, 1]
    return x


def assign_by_index():
    x = numbers()
    x[torch.tensor([0, 1])] = x[1:3]
    return x


def assign_by_mask():
    x = numbers()
    x[x > x[2]] = x[1]
    return x


def subtract_row():
    x = rows()
    x -= x[0]
    return x


def add_itself():
    x = numbers()
    x += x
    return x


def add_transposed():
    x = torch.arange(4.0).view(2, 2)
    return x.add_(x.t())


def add_halves():
    x = numbers()
    x[:3].add_(x[3:])
    x[::2].mul_(x[1::2])
    return x


def into_shifted():
    x = numbers()
    torch.add(x[:-1], 1, out=x[1:])
    return x


def into_itself():
    x = numbers()
    torch.mul(x, 2, out=x)
    return x


CASES = [
    assign_shifted, assign_first_element, assign_columns, assign_by_index, assign_by_mask, subtract_row,
    add_itself, add_transposed, add_halves, into_shifted, into_itself,
    lambda: numbers()[1:].add_(numbers()[:-1]),
    lambda: (lambda x: x[1:].add_(x[:-1]))(numbers()),
    lambda: (lambda x: x[1:].copy_(x[:-1]))(numbers()),
    lambda: (lambda x: x[1:].copy_(x[:-1].double()))(numbers()),
    lambda: (lambda x: x[1:].lerp_(x[:-1], 0.5))(numbers()),
    lambda: (lambda x: x[1:].pow_(x[:-1]))(numbers()),
    lambda: (lambda x: x[1:].masked_fill_(x[:-1] > 1, x[0]))(numbers()),
    lambda: (lambda x: x[1:].masked_fill_(x[:-1], True))(numbers() > 2),
    lambda: (lambda x: x.index_add_(0, torch.tensor([0, 1]), x[1:3]))(numbers()),
    lambda: (lambda x: x.index_fill_(0, torch.tensor([0, 1]), x[3]))(numbers()),
    lambda: repeated().add_(1),
    lambda: repeated().relu_() if hasattr(torch.Tensor, "relu_") else None,
    lambda: repeated().copy_(torch.ones(2, 3)),
    lambda: repeated().uniform_(),
    lambda: repeated().fill_(2),
    lambda: repeated().zero_(),
    lambda: repeated()[0].add_(1),
    lambda: torch.add(torch.ones(2, 3), 1, out=repeated()),
    lambda: torch.zeros(1).expand(1).add_(1),
    lambda: torch.zeros(0).expand(3, 0).add_(1),
]

for number, case in enumerate(CASES):
    try:
        print(number, case())
    except RuntimeError as error:
        print(number, "RuntimeError", error)


def into_another():
    x, y = numbers() + 1, numbers() * 0
    torch.add(x, 1, out=y)
    return x, y


print(into_another())

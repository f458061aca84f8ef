# The constant that `pad` fills with, as an element of the tensor's dtype.
import math
import torch

pad = torch.nn.functional.pad
numbers = torch.tensor([1, 2])


def show(tensor, value):
    try:
        print(value, pad(tensor, (1, 1), value=value))
    except RuntimeError as error:
        print(value, error)


for value in (math.inf, -math.inf, math.nan, 0.5, -3.7, 1e30, 2.0**63, -(2.0**63), 1e10, 300, True):
    show(numbers, value)
for dtype in (torch.int8, torch.uint8, torch.int32, torch.int16):
    for value in (300, -1, -0.5, 0.5, 127, 127.5, -128.5, 1e10, -300, math.nan):
        show(numbers.to(dtype), value)
for value in (0.5, 0, math.nan, -1, None, True):
    show(torch.tensor([True, False]), value)
for value in (1e39, math.inf, 0.5):
    show(numbers.float(), value)


@torch.compile
def padded(x, value):
    return pad(x, (1, 2), value=value) + 1


print(padded(numbers, 3.9), padded(numbers, -1), padded(numbers.float(), 0.5))

# `full` knows the same ranges.
for value in (-1.0, -1, 127.5, -128.5, 2.0**63, 0.5):
    for dtype in (torch.uint8, torch.int8, torch.int64):
        try:
            print(torch.full((2,), value, dtype=dtype))
        except RuntimeError as error:
            print(error)

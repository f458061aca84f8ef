"""Numbers that a dtype does not hold, negative sizes, and what fill_ and copy_ refuse."""
import torch


def t(run):
    try:
        print(run())
    except (RuntimeError, TypeError, IndexError, NotImplementedError, ValueError) as error:
        print(type(error).__name__, error)


x = torch.arange(6.0).view(2, 3)
t(lambda: torch.randperm(-1))
t(lambda: torch.randperm(2.5))
t(lambda: torch.randperm(0))
t(lambda: torch.full((2,), 300, dtype=torch.uint8))
t(lambda: torch.full((2,), -1, dtype=torch.uint8))
t(lambda: torch.full((2,), 2**40, dtype=torch.int32))
t(lambda: torch.full((2,), 1e10, dtype=torch.int32))
t(lambda: torch.full((2,), 1e6, dtype=torch.float16))
t(lambda: torch.full((2,), 1e39))
t(lambda: torch.full((2,), float("inf"), dtype=torch.int64))
t(lambda: torch.full((2,), float("nan"), dtype=torch.int64))
t(lambda: torch.full((2,), 3.7, dtype=torch.int64))
t(lambda: torch.full((2,), 2, dtype=torch.bool))
t(lambda: torch.full_like(x, 1e39))
t(lambda: torch.full_like(x, 300, dtype=torch.uint8))
t(lambda: torch.full((-1,), 3))
for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.float16, torch.bfloat16, torch.float32):
    for value in (70000, -1e39, -200):
        t(lambda: torch.full((2,), value, dtype=dtype))
        t(lambda: torch.zeros(2, dtype=dtype).fill_(value))
t(lambda: torch.zeros(2, 3).copy_(torch.ones(2, 2)))
t(lambda: torch.zeros(2, 3).copy_(torch.ones(4, 2, 3)))
t(lambda: torch.zeros(2, 3).copy_(torch.ones(3)))
t(lambda: torch.zeros(3).fill_(torch.ones(2)))
t(lambda: torch.zeros(3).fill_(torch.tensor(2.0)))

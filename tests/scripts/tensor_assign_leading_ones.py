# What is assigned may have more dimensions than its place, if those in front are 1; and a number
# that the dtype does not hold is refused.
import torch


def tell(run, *arguments):
    try:
        print(run(*arguments))
    except RuntimeError as error:
        print("RuntimeError:", error)


def put(key, sizes):
    x = torch.zeros(5, 4)
    count = torch.ones(sizes).numel()
    x[key] = torch.arange(1.0, 1.0 + count).reshape(sizes)
    return x


def put_compiled(key, sizes):
    def assign(x, values):
        y = x * 2
        y[key] = values
        return y

    count = torch.ones(sizes).numel()
    values = torch.arange(1.0, 1.0 + count).reshape(sizes)
    return torch.compile(assign)(torch.zeros(5, 4), values)


rows = torch.tensor([0, 1, 2])
column = torch.tensor([[0], [3]])
some = torch.tensor([True, False, True, False, False])
for run in [put, put_compiled]:
    tell(run, rows, (1, 3, 4))
    tell(run, rows, (1, 1, 1, 4))
    tell(run, (rows, rows), (1, 1, 3))
    tell(run, (slice(None), rows), (1, 5, 3))
    tell(run, (column, rows), (1, 2, 3))
    tell(run, (slice(0, 3), slice(None)), (1, 1, 3, 4))
    tell(run, 0, (1, 1, 4))
tell(put, some, (1, 2, 4))
tell(put, rows, (2, 3, 4))
tell(put, rows, (1, 2, 4))


def into(dtype, value):
    x = torch.zeros(3, dtype=dtype)
    x[[0]] = value
    return x


for dtype, value in [(torch.uint8, 300), (torch.int8, -129), (torch.uint8, -1), (torch.int64, 2.7)]:
    tell(into, dtype, value)
    tell(lambda: torch.zeros(3, dtype=dtype).scatter_(0, torch.tensor([1]), value))
    tell(lambda: torch.zeros(3, dtype=dtype).index_fill(0, torch.tensor([1]), value))
    tell(lambda: torch.zeros(3, dtype=dtype).masked_fill(torch.tensor([True, False, True]), value))


def into_floats():
    x = torch.zeros(3)
    x[[0]] = 1e300
    return x


def into_halves():
    x = torch.zeros(3, dtype=torch.float16)
    x[[0]] = 1e6
    return x


tell(into_floats)
tell(into_halves)
tell(lambda: torch.zeros(3).scatter(0, torch.tensor([1]), 1e300))
tell(lambda: torch.zeros(3, dtype=torch.float16).masked_fill(torch.tensor([True, False, True]), 1e6))

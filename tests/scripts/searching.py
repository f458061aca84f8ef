# Places among sorted elements: dtypes, NaN, rows that are in no order, and what is refused.
import torch

nan = float("nan")


def attempt(run):
    try:
        found = run()
        print(found, found.dtype, found.stride())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


row = torch.tensor([1.0, 2.0, 3.0])
whole = torch.tensor([1, 2, 3])
rows = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
search, bucketize = torch.searchsorted, torch.bucketize

attempt(lambda: search(row, torch.tensor([nan, 2.0, 0.0])))
attempt(lambda: search(torch.tensor([1.0, nan, nan]), torch.tensor([nan, 2.0, 0.0]), right=True))
attempt(lambda: search(torch.tensor([5, 1, 4, 2, 3]), torch.arange(6)))
for value in (2, 2.5, True, torch.tensor(2.5), torch.tensor([True]), torch.tensor([2.5])):
    attempt(lambda: search(whole, value))
attempt(lambda: search(whole.to(torch.int8), 300))
attempt(lambda: search(row.half(), torch.tensor([2049])))
attempt(lambda: search(row.bfloat16(), torch.tensor([2.001])))
attempt(lambda: search(rows, rows))
attempt(lambda: search(whole.repeat(2, 1), torch.ones(2, 2, dtype=torch.int64)))
attempt(lambda: search(row, torch.tensor([1.0]), side="right", out_int32=True))
attempt(lambda: search(torch.tensor([]), torch.tensor([1.0])))
attempt(lambda: search(torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.5]), sorter=torch.tensor([1, 2, 0])))
attempt(lambda: bucketize(2, row))
attempt(lambda: bucketize(torch.tensor([[2.0]]), row, right=True))

attempt(lambda: search(torch.tensor([True]), torch.tensor([True])))
attempt(lambda: search(rows, row))
attempt(lambda: search(rows, 1.0))
attempt(lambda: search(rows, torch.ones(3, 2)))
attempt(lambda: search(torch.tensor(1.0), row))
attempt(lambda: search(row, row, side="middle"))
attempt(lambda: search(row, row, side="left", right=True))
attempt(lambda: search(row, row, sorter=torch.tensor([0, 1])))
attempt(lambda: search(row, row, sorter=torch.tensor([0, 1, 2], dtype=torch.int32)))
attempt(lambda: search(row, row, sorter=torch.tensor([0, 1, 3])))
attempt(lambda: bucketize(row, rows))
x = torch.tensor([1.0, 2.0], requires_grad=True)
print(search(x, x).requires_grad, torch.compile(lambda x: search(row, x * 2) + 1)(torch.tensor([0.7, 1.2])))

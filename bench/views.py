"""Reads that are broadcast, transposed or sliced, and reductions of everything on two threads."""

import torch
from timing import best, report

torch.manual_seed(0)
x, y = torch.randn(2048, 2048), torch.randn(2048, 2048)
row, column = torch.randn(2048), torch.randn(2048, 1)

CASES = {
    "add_row": lambda x: x + row,
    "add_column": lambda x: x + column,
    "outer_add": lambda x: row + column,
    "transposed_copy": lambda x: x.t().contiguous(),
    "transposed_add": lambda x: x.t() + y,
    "transposed_sum": lambda x: x.t().sum(1),
    "strided_add": lambda x: x[:, ::2] + y[:, 1::2],
}
TWO_THREADS = {
    "sum_2_threads": lambda x: x.sum(),
    "mean_square_2_threads": lambda x: (x * x).mean(),
    "max_2_threads": lambda x: x.max(),
}

for threads, cases in ((1, CASES), (2, TWO_THREADS)):
    torch.set_num_threads(threads)
    for name, f in cases.items():
        report(name, "eager", best(f, x, 0.2))
        torch._dynamo.reset()
        report(name, "compiled", best(torch.compile(f), x, 0.2))

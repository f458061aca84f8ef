"""equal, allclose and isclose; adding, copying and filling by index."""
import torch

x = torch.arange(3.0)
nan = torch.tensor([float("nan")])
inf = torch.tensor([float("inf")])
index = torch.tensor([0, 2, 0])
rows = torch.arange(6.0).view(3, 2)
CASES = [
    lambda: torch.equal(x, torch.arange(3)), lambda: x.equal(x + 1), lambda: torch.equal(x, torch.zeros(2)), lambda: nan.equal(nan),
    lambda: torch.equal(torch.empty(0), torch.empty(0)), lambda: torch.equal(x, other=x),
    lambda: torch.equal(x, 3), lambda: x.equal(3), lambda: torch.equal(3, x), lambda: torch.equal(x), lambda: x.equal(x, 1),
    lambda: torch.allclose(x, x + 1e-9), lambda: x.allclose(x + 1, 0, 1.5), lambda: torch.allclose(inf, inf), lambda: torch.allclose(inf, x[:1]),
    lambda: torch.allclose(nan, nan), lambda: torch.allclose(nan, nan, equal_nan=True), lambda: torch.allclose((x,), x), lambda: torch.allclose(x, 3),
    lambda: torch.allclose(x, torch.arange(3)), lambda: torch.allclose(x, torch.zeros(2)), lambda: torch.isclose(x, x, rtol=-1.0),
    lambda: torch.isclose(x, x + 1e-9), lambda: x.isclose(x + 0.5, atol=0.5, rtol=0), lambda: torch.isclose(torch.arange(3), torch.tensor([0, 1, 5]), atol=1),
    lambda: torch.isclose(torch.tensor([True, False]), torch.tensor([True, True])), lambda: torch.isclose(x.bfloat16(), x.bfloat16() + 1),
    lambda: torch.zeros(3, 2).index_add(0, index, rows), lambda: torch.zeros(3, 2).index_add_(0, index, rows, alpha=2),
    lambda: torch.zeros(3, 2).index_add(0, index, rows[:2]), lambda: rows.index_add(0, index.float(), rows), lambda: rows.index_add(0, index, rows.long()),
    lambda: rows.index_add(2, index, rows), lambda: rows.index_add(0, index + 2, rows), lambda: rows.index_add(0, index, torch.ones(3, 3)),
    lambda: rows.index_add(-1, torch.tensor([1]), torch.ones(3, 1)), lambda: rows.long().index_add(0, index, rows.long(), alpha=3),
    lambda: torch.zeros(3, 2).index_copy(0, torch.tensor([2, 0]), rows[:2]), lambda: rows.index_copy(0, index, rows[:2]), lambda: rows.index_copy(0, index.int(), rows),
    lambda: rows.index_fill(0, index, 3), lambda: rows.index_fill(1, torch.tensor([-1]), torch.tensor(7)), lambda: rows.index_fill(0, index, torch.ones(2)),
    lambda: rows.index_fill(0, index.float(), 3), lambda: rows.index_fill(1, torch.tensor(1), 9.5),
]
for number, case in enumerate(CASES):
    try:
        print(number, case())
    except (RuntimeError, TypeError, IndexError) as error:
        print(number, type(error).__name__, error)

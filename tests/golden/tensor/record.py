"""Records what PyTorch prints and draws, for tests/unit/tensor. Run it with the oracle's Python:

    scripts/oracle tests/golden/tensor/record.py

It rewrites print.txt, random.txt and promotion.txt beside itself. The cases of print.txt are those
of tests/unit/tensor/print_test.cpp, in the same order, each closed by a line `----`.
"""
import pathlib

import torch

HERE = pathlib.Path(__file__).parent
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
          "float64"]


def dtype(name):
    return getattr(torch, name)


def record_promotion():
    lines = []
    for a in DTYPES:
        for b in DTYPES:
            left, right = dtype(a), dtype(b)
            x, y = torch.ones(2, dtype=left), torch.ones(2, dtype=right)
            x0, y0 = torch.ones((), dtype=left), torch.ones((), dtype=right)
            results = [torch.promote_types(left, right), torch.result_type(x, y),
                       torch.result_type(x, y0), torch.result_type(x0, y0)]
            lines.append(" ".join([a, b] + [str(r)[6:] for r in results]))
    for a in DTYPES:
        for value in (True, 1, 1.0):
            x, x0 = torch.ones(2, dtype=dtype(a)), torch.ones((), dtype=dtype(a))
            results = [torch.result_type(x, value), torch.result_type(x0, value)]
            lines.append(" ".join([a, type(value).__name__] + [str(r)[6:] for r in results]))
    (HERE / "promotion.txt").write_text("\n".join(lines) + "\n")


def summary(x):
    """First, middle and last value, and the sum of all in double precision."""
    values = x.double()
    if values.numel() == 0:
        return "0 0 0 0"
    picked = [values[0], values[len(values) // 2], values[-1], values.sum()]
    return " ".join(repr(v.item()) for v in picked)


def record_random():
    lines = []
    draws = {
        "rand": lambda n, d: torch.rand(n, dtype=d),
        "randn": lambda n, d: torch.randn(n, dtype=d),
        "uniform": lambda n, d: torch.empty(n, dtype=d).uniform_(-1.3, 2.7),
        "normal": lambda n, d: torch.empty(n, dtype=d).normal_(0.3, 1.7),
        "bernoulli": lambda n, d: torch.empty(n, dtype=d).bernoulli_(0.3),
        "exponential": lambda n, d: torch.empty(n, dtype=d).exponential_(1.5),
    }
    for kind, draw in draws.items():
        for name in ("float32", "float64", "bfloat16"):
            exact = kind in ("rand", "randn") and name != "bfloat16"
            for n in list(range(41)) + [1000, 100007] if exact else [5, 16, 17, 1000]:
                torch.manual_seed(n)
                for call in range(2):
                    lines.append(f"{kind} {name} {n} {call} {summary(draw(n, dtype(name)))}")
    for n in (5, 1000):
        for high in (10, 2**28 - 1, 2**28, 2**40):
            torch.manual_seed(n)
            lines.append(f"randint {high} {n} 0 {summary(torch.randint(-3, high, (n,)))}")
    for n in (1, 5, 1000, 100007):
        torch.manual_seed(n)
        lines.append(f"randperm int64 {n} 0 {summary(torch.randperm(n))}")
    (HERE / "random.txt").write_text("\n".join(lines) + "\n")


def print_cases():
    inf, nan = float("inf"), float("nan")
    torch.manual_seed(0)
    for shape in ((), (3,), (8, 16), (2, 3, 4)):
        yield torch.randn(shape)
    yield torch.randn(40, dtype=torch.float64)
    for shape in ((5, 300), (2, 8, 9, 10), (1001,), (150,)):
        yield torch.randn(shape)
    yield torch.randn(3, 3, dtype=torch.bfloat16)
    yield torch.randn(3, 3, dtype=torch.float16)
    for values in ([1, 2, 3], [1, -2, 0], [0, 0], [0, -0.0, nan], [inf, 1, -inf], [nan, 1.5, -inf],
                   [1e-5, 1], [1e9, 1], [1e9], [1e8], [123456, 1, 0], [1000.5, 1], [1001.5, 1]):
        yield torch.tensor(values, dtype=torch.float32)
    yield torch.tensor([[1e-5, nan], [inf, -0.0]])
    yield torch.tensor([1e-300, 1e300, 0.1], dtype=torch.float64)
    yield torch.tensor(1 / 3, dtype=torch.float64)
    yield torch.tensor([1, -200, 3])
    yield torch.tensor([1, 2], dtype=torch.int32)
    yield torch.tensor([1, 200], dtype=torch.uint8)
    yield torch.tensor([True, False])
    yield torch.tensor(True)
    yield torch.tensor(5)
    yield torch.empty(0)
    yield torch.empty(0, 3)
    yield torch.empty(0, dtype=torch.int64)
    yield torch.empty(2, 0, dtype=torch.bool)
    leaf = torch.randn(3).requires_grad_()
    yield leaf
    yield leaf * 1
    yield torch.randn(9, dtype=torch.float64).requires_grad_() * 1
    yield torch.randn(6, dtype=torch.float64).requires_grad_() * 1
    yield torch.nn.Parameter(torch.randn(2))
    order = torch.randperm(2000)
    yield order
    yield order.reshape(40, 50)
    yield order.reshape(2, 1000).t()
    torch.set_printoptions(precision=2, threshold=5, edgeitems=2, linewidth=40)
    yield torch.randn(3, 7)
    yield torch.randn(30)
    torch.set_printoptions(profile="default", sci_mode=True)
    yield torch.randn(3)
    yield torch.tensor([1.0, 2.0])
    torch.set_printoptions(sci_mode=False)
    yield torch.tensor([1e-6, 1e6])


def record_printing():
    text = "".join(f"{case!r}\n----\n" for case in print_cases())
    (HERE / "print.txt").write_text(text)


record_promotion()
record_random()
record_printing()

# tolerance: 1e-2
"""What makes a compiled function compile again: another dtype, another shape.

Each call below that differs in dtype needs machine code of its own; a size that changes is made a
symbol once, and then no further size compiles again. `:why` at the REPL names the guard that failed.
"""
import torch


@torch.compile
def scale_and_shift(x):
    return torch.tanh(x * 1.5 + 0.25).sum(dim=-1)


def show(name, x):
    y = scale_and_shift(x)
    print(f"{name:<22} {str(x.dtype):<15} {tuple(x.shape)} -> {[round(v, 2) for v in y.tolist()]}")


torch.manual_seed(5)
x = torch.randn(3, 8)

show("first call", x)
show("same again", x + 1)
show("bfloat16", x.to(torch.bfloat16))
show("float64", x.double())
show("more rows", torch.randn(5, 8))
show("still more rows", torch.randn(7, 8))
show("longer rows", torch.randn(2, 12))
show("back to the first", x)

# What a call depends on the default dtype for, it is compiled for.
import torch

x = torch.ones(2)
whole = torch.ones(2, dtype=torch.int64)
functions = {
    "zeros": lambda x: x + torch.zeros(2),
    "full": lambda x: x * torch.full((2,), 2.5),
    "empty": lambda x: torch.empty(3),
    "linspace": lambda x: torch.linspace(0, 1, 2) + x,
    "arange": lambda x: torch.arange(0, 1, 0.5),
    "tensor": lambda x: torch.tensor([1.5, 2.5]) * x,
    "scalar": lambda x: torch.tensor(0.1),
    "eye": lambda x: torch.eye(2) + x,
    "division": lambda x: whole / 2 + x,
    "product": lambda x: whole * 1.5,
    "where": lambda x: torch.where(x > 0, 1.0, 2.0),
    "random": lambda x: torch.rand(2) < 2,
    "named": lambda x: torch.get_default_dtype(),
    "same": lambda x: x * 2 + 1,
}
compiled = {name: torch.compile(f, backend="eager") for name, f in functions.items()}
for dtype in (torch.float32, torch.float64, torch.float32):
    torch.set_default_dtype(dtype)
    for name, f in functions.items():
        made, expected = compiled[name](x), f(x)
        if name == "named":
            print(name, made)
        else:
            print(name, made.dtype, made.dtype == expected.dtype)
torch.set_default_dtype(torch.float32)

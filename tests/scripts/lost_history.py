# What is said of a tensor that becomes a number or a tensor without its history, and how often.
import math
import warnings

import torch

x = torch.tensor(1.5, requires_grad=True)


def said(name, call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    print(name, [(each.category.__name__, str(each.message).split(" (Triggered")[0]) for each in caught])


def without_gradients():
    with torch.no_grad():
        float(x)


said("item", x.item)
said("int", lambda: int(x))
said("format", lambda: f"{x:.2f}")
said("no_grad", without_gradients)
said("detached", lambda: float(x.detach()))
said("percent", lambda: "%.2f" % x)
said("float", lambda: float(x))
said("math", lambda: math.sqrt(x))
said("tensor", lambda: torch.tensor(x))
said("again", lambda: torch.tensor(x))
said("dtype", lambda: torch.tensor(torch.ones(2), dtype=torch.float64))
said("new_tensor", lambda: x.new_tensor(torch.ones(2)))
said("as_tensor", lambda: torch.as_tensor(x))
said("list", lambda: torch.tensor([1.0, 2.0]))
said("parameter", lambda: torch.nn.Parameter(torch.tensor(torch.ones(1))))


def loss_of(weight):
    return (weight * torch.tensor(weight.detach())).sum()


said("function", lambda: loss_of(x).backward())
print(x.grad)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        torch.tensor(x)
    except UserWarning as warning:
        print("raised", str(warning)[:24])

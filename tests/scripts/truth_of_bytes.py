# any and all of uint8 are uint8, as they were before there was bool; `stable` goes by name only.
import torch

u = torch.tensor([[0, 2], [0, 0]], dtype=torch.uint8)
for name in ("any", "all"):
    method, function = getattr(torch.Tensor, name), getattr(torch, name)
    for found in (method(u), method(u, 0), method(u, 1, keepdim=True), function(u, dim=0), function(u.t(), 0),
                  method(u, (0, 1)), method(u[:0]), method(u[:, :0], 1), method(u.to(torch.int8)), method(u > 0)):
        print(name, found)
    print(function(u, 0) + 250)

x = torch.tensor([[3.0, 1.0, 2.0], [1.0, 1.0, 0.0]])
for call in (lambda: torch.sort(x, 1, stable=True), lambda: x.argsort(1, stable=True),
             lambda: torch.sort(x, stable=True).indices, lambda: x.sort(dim=0, stable=True, descending=True)[0],
             lambda: x.argsort(dim=1, stable=False), lambda: x.sort(1, True).values):
    try:
        print(call())
    except TypeError as error:
        print("TypeError", str(error).split(" - ")[0])

# out= with tensors that require a gradient: refused, unless nothing is recorded.
import torch
import torch.nn.functional as F

w = torch.tensor([[1.0, -2.0], [3.0, 0.5]], requires_grad=True)
x = torch.tensor([[0.5, 2.0], [1.0, -1.0]])
v = torch.tensor([1.0, 2.0])
mask = x > 0


def out():
    return torch.empty(0)


calls = {
    "add": lambda a, o: torch.add(a, x, out=o),
    "exp": lambda a, o: torch.exp(a, out=o),
    "sum": lambda a, o: torch.sum(a, 1, out=o),
    "norm": lambda a, o: torch.norm(a, dim=1, out=o),
    "norm p": lambda a, o: torch.norm(a, p=1, dim=0, keepdim=True, out=o),
    "softmax": lambda a, o: torch.softmax(a, 1, out=o),
    "log_softmax": lambda a, o: torch.log_softmax(a, 0, out=o),
    "outer": lambda a, o: torch.outer(a.reshape(-1), v, out=o),
    "hstack": lambda a, o: torch.hstack([a, x], out=o),
    "vstack": lambda a, o: torch.vstack([a, x], out=o),
    "cat": lambda a, o: torch.cat([a, x], out=o),
    "stack": lambda a, o: torch.stack([a, x], out=o),
    "masked_select": lambda a, o: torch.masked_select(a, mask, out=o),
    "where": lambda a, o: torch.where(mask, a, x, out=o),
    "mm": lambda a, o: torch.mm(a, x, out=o),
    "matmul": lambda a, o: torch.matmul(a, x, out=o),
    "clamp": lambda a, o: torch.clamp(a, 0, 1, out=o),
    "cumsum": lambda a, o: torch.cumsum(a, 0, out=o),
    "gather": lambda a, o: torch.gather(a, 0, torch.zeros(1, 2, dtype=torch.int64), out=o),
    "index_select": lambda a, o: torch.index_select(a, 0, torch.tensor([1]), out=o),
    "mean": lambda a, o: torch.mean(a, 0, out=o),
    "var": lambda a, o: torch.var(a, 0, out=o),
    "xlogy": lambda a, o: torch.xlogy(x, a, out=o),
    "fmax": lambda a, o: torch.fmax(a, x, out=o),
    "tril": lambda a, o: torch.tril(a, out=o),
}
for name, f in calls.items():
    print(name)
    if "softmax" not in name:
        try:
            f(w, out())
        except RuntimeError as error:
            print(error)
    with torch.no_grad():
        given = out()
        result = f(w, given)
        print("   ", result is given, result, result.requires_grad)
    print("   ", f(w.detach(), out()).shape)

# What is given may be the one that requires a gradient.
leaf = torch.zeros(2, 2, requires_grad=True)
try:
    torch.exp(x, out=leaf)
except RuntimeError as error:
    print(error)
with torch.no_grad():
    torch.exp(x, out=leaf)
print(leaf)

# Other sizes and dtypes of what is given.
try:
    torch.outer(v, v, out=torch.empty(2, 2, dtype=torch.int64))
except RuntimeError as error:
    print(error)
part = torch.zeros(2, 4)
torch.outer(v, v, out=part[:, 1:3])
print(part)

# Checkpoints of parts that give lists, dicts and tuples in tuples, and parameters that are written
# between a forward and its backward.
import torch
from torch.utils.checkpoint import checkpoint

w = torch.ones(2, requires_grad=True)
x = torch.ones(2, requires_grad=True)


def show(name, body):
    x.grad = w.grad = None
    body()
    print(name, x.grad, w.grad)


def listed():
    out = checkpoint(lambda v: [v * 2 * w, v * 3], x, use_reentrant=False)
    print(type(out).__name__, len(out))
    (out[0].sum() + out[1].sum()).backward()


def keyed():
    out = checkpoint(lambda v: {"a": v * 2 * w, "b": 5, "c": torch.ones(1)}, x, use_reentrant=False)
    print(out["b"], out["c"])
    out["a"].sum().backward()


def nested():
    out = checkpoint(lambda v: ((v * 2, None), v * w), x, use_reentrant=False)
    (out[0][0].sum() + out[1].sum()).backward()


def stepped():
    out = checkpoint(lambda v: v * v * w, x, use_reentrant=False)
    with torch.no_grad():
        w.mul_(1)
    out.sum().backward()


for name, body in [("list", listed), ("dict", keyed), ("nested", nested), ("stepped", stepped)]:
    show(name, body)

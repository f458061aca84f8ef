"""Windows of a dimension: `unfold` is a view, whose gradient adds up where windows overlap."""
import torch

x = torch.arange(12.0).reshape(3, 4)


def show(call):
    try:
        view = call()
        print(view, tuple(view.shape), view.stride(), view.storage_offset())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


show(lambda: x.unfold(1, 2, 1))
show(lambda: x.unfold(0, 2, 2))
show(lambda: x.unfold(-1, 4, 1))
show(lambda: x.unfold(dimension=0, size=2, step=1))
show(lambda: x[:, 1:].t().unfold(0, 2, 1))
show(lambda: x.bool().unfold(0, 2, 1))
show(lambda: torch.tensor(3.0).unfold(0, 1, 1))
show(lambda: x.unfold(-1, 0, 1))
show(lambda: x.unfold(-1, 5, 1))
show(lambda: x.unfold(-1, -1, 1))
show(lambda: x.unfold(-1, 2, 0))
show(lambda: x.unfold(2, 2, 1))
show(lambda: torch.tensor(3.0).unfold(0, 2, 1))
show(lambda: x.unfold(0, 2))
show(lambda: x.unfold(0, 2.0, 1))
show(lambda: torch.zeros(0, 3).unfold(0, 1, 1))

base = torch.arange(12.0).reshape(3, 4).clone()
windows = base.unfold(1, 2, 2)
print(windows._base is base, windows.data_ptr() == base.data_ptr())
windows[0] = 7
base.mul_(2)
print(base, windows)

for size, step, dim in ((2, 1, 1), (3, 2, 0), (2, 3, -1), (1, 1, 0)):
    w = torch.arange(12.0).reshape(3, 4).requires_grad_()
    windows = w.unfold(dim, size, step)
    (windows.pow(2) * torch.arange(1.0, size + 1)).sum().backward()
    print(type(windows.grad_fn).__name__, w.grad)

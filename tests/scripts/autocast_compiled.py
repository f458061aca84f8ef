# tolerance: 1e-2
# torch.autocast in compiled functions, and around their calls.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.rand(4, 4), torch.rand(4, 4)


def compiled(function):
    return torch.compile(function, backend="eager")


@compiled
def product(a, b):
    return a @ b


for _ in range(2):
    print(product(x, y).dtype)
    with torch.autocast("cpu"):
        print(product(x, y).dtype)
        with torch.autocast("cpu", enabled=False):
            print(product(x, y).dtype)
    with torch.autocast("cpu", dtype=torch.float16):
        print(product(x, y).dtype)


@compiled
def inside(a, b):
    with torch.autocast("cpu"):
        low = a @ b
        with torch.autocast("cpu", enabled=False):
            full = a @ b
    return low, full, a @ b, low + full


for _ in range(2):
    print([each.dtype for each in inside(x, y)])
    with torch.autocast("cpu", dtype=torch.float16):
        print([each.dtype for each in inside(x, y)])
print(inside(x, y)[0])


@compiled
def sums(a):
    return a + 1, a.sum()


for _ in range(2):
    print([each.dtype for each in sums(x)])
    with torch.autocast("cpu"):
        print([each.dtype for each in sums(x)])


@compiled
@torch.autocast("cpu")
def decorated(a, b):
    return F.mse_loss(a @ b, b), a @ b


for _ in range(2):
    print([each.dtype for each in decorated(x, y)])

w = torch.nn.Parameter(torch.arange(16.0).view(4, 4) / 16)


@compiled
def loss_of(a):
    with torch.autocast("cpu"):
        hidden = F.linear(a, w).relu()
        return F.mse_loss(F.linear(hidden, w), y)


for _ in range(2):
    w.grad = None
    loss = loss_of(x)
    loss.backward()
    print(loss.dtype, w.grad.dtype, w.grad)


@compiled
def step(a):
    with torch.autocast("cpu"):
        loss = F.mse_loss(F.linear(a, w), y)
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad, alpha=0.1)
    w.grad = None
    return loss.detach()


for _ in range(3):
    print(f"{step(x).item():.2f}")


@compiled
def state():
    return torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")


for _ in range(2):
    print(state())
    with torch.autocast("cpu", dtype=torch.float16):
        print(state())

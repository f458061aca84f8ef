# Views made without grad mode in compiled functions: made there, given to one, and returned.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def compiled(function):
    return torch.compile(function, backend="eager")


@compiled
def made_inside(x):
    with torch.no_grad():
        v = x[0]
    return v.requires_grad, v, v * 2


for x in (torch.ones(2, 2), torch.ones(2, 2, requires_grad=True),
          torch.ones(2, 2, requires_grad=True) * 1, torch.ones(2, 2)):
    flag, v, y = made_inside(x)
    print(flag, v, v.requires_grad, v._is_view(), v._base is x, y.detach(), y.requires_grad)
    if y.requires_grad:
        y.sum().backward()
        print(x.grad if x.is_leaf else None)


@compiled
def made_of_result(x):
    h = x * 2
    with torch.no_grad():
        v = h[0]
    return h, v


for _ in range(2):
    w = torch.ones(2, 2, requires_grad=True)
    h, v = made_of_result(w)
    print(v.requires_grad, v.is_leaf, v._base is h)
    (h[0] * v).sum().backward()
    print(w.grad)


@compiled
def given(v):
    return v.requires_grad, v * 2


w = torch.ones(2, 2, requires_grad=True)
h = w * 3
with torch.no_grad():
    views = [w[0], h[0], torch.ones(2, 2)[0], w[1]]
for v in views + views:
    flag, y = given(v)
    print(flag, y.detach(), y.requires_grad, y.is_leaf)
    attempt("written", lambda: v.mul_(1))
with torch.no_grad():
    for v in views:
        print(given(v))
    w.mul_(2)
    for v in views:
        print(given(v))
for v in views:
    attempt("stale", lambda: given(v)[1].detach())


@compiled
def both(v, w):
    return (v * w).sum()


w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(2):
    with torch.no_grad():
        v = w.view(2)
    both(v, w).backward()
    print(w.grad)


# PyTorch's compiler refuses to look at views whose memory was written; `--compile` sees these too.
def write(v, g):
    with torch.no_grad():
        v.sub_(g)
        v[0] -= 1
    return v.requires_grad


with torch.no_grad():
    views = [w.view(2), w.view(2)[:1]]
for _ in range(3):
    for v in views:
        print(write(v, torch.ones(1)), w)


@compiled
def stale(x):
    with torch.no_grad():
        v = x[0]
        x.mul_(2)
    return v


w = torch.ones(2, requires_grad=True)
for _ in range(3):
    v = stale(w)
    print(v, v.requires_grad)
    attempt("used", lambda: v * 2)


def stale_inside(x):
    with torch.no_grad():
        v = x[0]
        x.mul_(2)
    return v * 2


for _ in range(3):
    attempt("inside", lambda: stale_inside(w))
print(w)


def write_inside(x):
    with torch.no_grad():
        v = x[0]
    v.mul_(2)
    return v


for _ in range(2):
    attempt("written inside", lambda: write_inside(w))
with torch.no_grad():
    print(write_inside(w))


@compiled
def step(w, x):
    loss = ((x @ w.view(2, 2)) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w.view(2, 2)[0] -= 0.1 * w.grad[:2]
        w[2:] -= 0.2 * w.grad[2:]
        w.view(-1).sub_(0.01)
        for part, gradient in zip(w.split(2), w.grad.split(2)):
            part.sub_(gradient, alpha=0.1)
        w.grad.zero_()
    return loss.detach()


w = torch.ones(4, requires_grad=True)
x = torch.tensor([[1.0, 2.0]])
for _ in range(4):
    print(f"{step(w, x).item():.4f}")
print(w)


@compiled
def frozen(x, w):
    with torch.no_grad():
        teacher = w.t()
    return ((x @ teacher - x @ w) ** 2).sum()


w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
for _ in range(2):
    w.grad = None
    frozen(x, w).backward()
    print(w.grad)


@compiled
def inference(x):
    with torch.inference_mode():
        v = x[0]
    return v.requires_grad, v.is_inference(), v


for x in (w, torch.ones(2, 2)):
    flag, mode, v = inference(x)
    print(flag, mode, v, v.requires_grad)
    attempt("written", lambda: v.mul_(2))
    attempt("used", lambda: v * 2)

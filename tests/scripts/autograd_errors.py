# What backward and requires_grad refuse, in PyTorch's words.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def twice():
    z = (x * x).sum()
    z.backward()
    z.backward()


def twice_without_saved():
    z = (x + 1).sum()
    z.backward()
    z.backward()
    return x.grad


def grad_twice():
    z = (x * x).sum()
    torch.autograd.grad(z, x)
    torch.autograd.grad(z, x)


attempt("twice", twice)
attempt("twice, nothing saved", twice_without_saved)
attempt("grad twice", grad_twice)
attempt("not a scalar", lambda: (x * 2).backward())
attempt("not a scalar, grad", lambda: torch.autograd.grad(x * 2, x))
attempt("no gradient", lambda: torch.ones(2).sum().backward())
attempt("no gradient, detached", lambda: (x * 2).detach().sum().backward())
attempt("no gradient, grad", lambda: torch.autograd.grad(torch.ones(()), x))
attempt("input without gradient", lambda: torch.autograd.grad(x.sum(), torch.ones(3)))
attempt("integer", lambda: torch.tensor([1, 2], requires_grad=True))
attempt("integer later", lambda: torch.tensor([1, 2]).requires_grad_())
attempt("bool later", lambda: torch.tensor([True]).requires_grad_(True))


def assigned():
    t = torch.tensor([1, 2])
    t.requires_grad = True


def non_leaf():
    y = x * 2
    y.requires_grad = False


attempt("integer assigned", assigned)
attempt("non-leaf", non_leaf)
attempt("non-leaf call", lambda: (x * 2).requires_grad_(False))
attempt("wrong shape", lambda: (x * 2).backward(torch.ones(2)))
attempt("wrong shape, grad", lambda: torch.autograd.grad(x * 2, x, torch.ones(4)))
attempt("wrong number", lambda: torch.autograd.grad((x * 2, x * 3), x, torch.ones(3)))
attempt("unused", lambda: torch.autograd.grad(x.sum(), torch.ones(2, requires_grad=True)))
attempt("no inputs", lambda: torch.autograd.grad(x.sum(), []))
attempt("backward no inputs", lambda: x.sum().backward(inputs=[]))
attempt("numpy-like", lambda: x.tolist())
attempt("out", lambda: torch.add(x, 1, out=torch.zeros(3)))
attempt("leaf", lambda: x.add_(1))
attempt("leaf item", lambda: x.__setitem__(0, 1.0))
attempt("view of leaf", lambda: x[0].mul_(2))
attempt("view of leaf, item", lambda: x.view(3).__setitem__(0, 5.0))
attempt("retain_grad", lambda: torch.ones(2).retain_grad())


def grad_shape():
    x.grad = torch.ones(2)


def grad_type():
    x.grad = 3


def grad_dtype():
    x.grad = torch.ones(3, dtype=torch.float64)


def grad_self():
    x.grad = x


attempt("grad shape", grad_shape)
attempt("grad type", grad_type)
attempt("grad dtype", grad_dtype)
attempt("grad self", grad_self)


def saved(change, make=torch.exp):
    y = make(x * 1)
    z = (y * y).sum()
    change(y)
    z.backward()


attempt("saved, add_", lambda: saved(lambda y: y.add_(1)))
attempt("saved, twice", lambda: saved(lambda y: y.mul_(2).add_(1)))
attempt("saved, item", lambda: saved(lambda y: y.__setitem__(0, 0.0)))
attempt("saved, view", lambda: saved(lambda y: y[1:].zero_()))
attempt("saved, sigmoid", lambda: saved(lambda y: y.zero_(), torch.sigmoid))


def weight():
    w = torch.ones(3, 3, requires_grad=True)
    y = torch.relu(x[None] @ w) @ w
    with torch.no_grad():
        w.sub_(0.1)
    y.sum().backward()


attempt("weight stepped before backward", weight)


def splits(write):
    y = x * 1
    parts = write(y)
    parts[0].mul_(2)
    return y


attempt("unbind", lambda: splits(lambda y: y.unbind()))
attempt("split", lambda: splits(lambda y: y.split(2)))
attempt("chunk", lambda: splits(lambda y: y.chunk(2)))
attempt("iteration", lambda: splits(lambda y: [part for part in y]))


def written_under_no_grad():
    y = x * 1
    part = y[:2]
    with torch.no_grad():
        part.mul_(2)
    return y, part


attempt("view written under no_grad", written_under_no_grad)
attempt("expanded", lambda: (x[:1] * 1).expand(3).add_(1))
attempt("detach_ view", lambda: (x * 1)[:2].detach_())

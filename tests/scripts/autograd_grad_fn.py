# grad_fn as text, its class, and the edges of a write.
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)


def show(y):
    node = y.grad_fn
    kind = type(node)
    nexts = [after.name() if after else None for after, _ in node.next_functions]
    print(kind, kind.__module__, kind.__name__, str(node).split(" at ")[0], node.name(), nexts)


def scalar_written():
    y = w * 1
    y[0] = 3
    return y


def tensor_written():
    y = w * 1
    y[0] = w[1]
    return y


def multiplied():
    y = w * 1
    y[0].mul_(w[1])
    return y


def added():
    y = w * 1
    y[0].add_(2)
    return y


def constant_written():
    y = w * 1
    y[0] = torch.ones(2)
    return y


show(w * 2)
show(Round.apply(w))
for run in (scalar_written, tensor_written, multiplied, added, constant_written):
    show(run())
leaf = w.sum().grad_fn.next_functions[0][0]
print(str(leaf).split(" at ")[0], leaf.name(), type(leaf))


def attempt(what, y):
    z = (y * y).sum()
    y.add_(1)
    try:
        z.backward()
    except RuntimeError as error:
        print(what, str(error).split("operation: ")[1].split(" is at")[0])


attempt("2 ** w", 2 ** w)
attempt("w ** w", w ** w)
attempt("w ** 2", w ** 2)
attempt("max", w.max())
attempt("max of a dimension", w.max(0)[0])
attempt("mean", w.mean())
attempt("mean of a dimension", w.mean(0))
attempt("sum of a dimension", w.sum(0))
attempt("Function", Round.apply(w))

# The norm's gradient where the norm is 0.
for gradient in (float("nan"), 1.0, float("inf")):
    v = torch.zeros(2, requires_grad=True)
    v.norm().backward(torch.tensor(gradient))
    print(v.grad)
v = torch.tensor([3.0, 4.0], requires_grad=True)
v.norm().backward(torch.tensor(0.7))
print(v.grad.tolist())

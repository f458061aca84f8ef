"""Parts of tensors that the function made are written: by index, through views, in loops."""
import torch


def first_and_last(x):
    y = torch.zeros(4)
    y[0] = 7
    y[1:3] = x[:2]
    y[-1] += 2
    return y * 2


def rows_and_columns(x):
    y = torch.zeros(3, 4)
    y[1, 2] = 5
    y[:, 0] = x[:3]
    y[..., -1] = 1
    y[0] *= 3
    y.t()[3] = 8
    return y, y.sum()


def through_a_view(x):
    y = x.clone()
    v = y[0:2]
    v.add_(10)
    return y, v


def masks_and_lists(x):
    y = x * 2
    y[x > 1] = 0
    y[[0, 2]] = 9.0
    y[torch.tensor([1])] += 4
    return y


def conversions(x):
    y = torch.zeros(3, dtype=torch.int64)
    y[0] = 2.7
    y[1:] = x[2:] + 0.5
    z = torch.zeros(2, 3)
    z[1] = y
    z[:, 1] = True
    return y, z


def in_loops(x):
    y = torch.zeros(2, 2, 2)
    for i in range(2):
        for j in range(2):
            y[i, j] = x[:2] * i + j
    return y


def a_view_before(x):
    y = x.clone()
    r = y[0]
    y[1] = 3
    return r + 1, y


def shapes(x):
    y = torch.zeros(2, 3)
    y.view(-1)[4] = 2
    y.view(3, 2)[0] = x[:2]
    y.diagonal().fill_(9)
    y[None][0, 1, 2] = 6
    return y


def an_input(x):
    x[0] = 5
    return x


def view_of_a_copy(x):
    y = x.clone()
    v = y[1:]
    v[0] = 3
    w = v.clone()
    return y, v, w


for fn in (first_and_last, rows_and_columns, through_a_view, masks_and_lists, conversions, in_loops, a_view_before, shapes, an_input, view_of_a_copy):
    x = torch.arange(4.0)
    eager = fn(x.clone())
    out = torch.compile(fn, backend="eager")(x.clone())
    print(fn.__name__, out)
    es, os = (t if isinstance(t, tuple) else (t,) for t in (eager, out))
    assert all(torch.equal(p, q) for p, q in zip(es, os)), (fn.__name__, eager)
y, v = torch.compile(through_a_view, backend="eager")(torch.arange(4.0))
v[0] = 100
print(y, v._base is y)


@torch.compile(backend="eager")
def out_of_range(x):
    y = x.clone()
    y[0] = 1
    y[7] = 2
    return y


try:
    out_of_range(torch.arange(4.0))
except IndexError as error:
    print(str(error).split("\n")[0])


@torch.compile(backend="eager")
def recorded(w):
    y = torch.zeros(3)
    y[0] = w[0] * 2
    y[1:] = w[1:] * 3
    y[2] *= 2
    return y.sum()


w = torch.ones(3, requires_grad=True)
recorded(w).backward()
print(w.grad)

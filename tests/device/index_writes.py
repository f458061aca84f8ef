# `x[i, j] = values`, index_put, index_fill, one_hot, and scatter with a narrow index: as on the
# processor, to the last bit, for each dtype and layout, with indices below 0 and repeated ones; each
# is one launch.
import torch
import torch.nn.functional as F
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def on(value, place):
    """The same with its tensors there, of the same strides."""
    if isinstance(value, (tuple, list)):
        return type(value)(on(each, place) for each in value)
    if not isinstance(value, torch.Tensor):
        return value
    order = sorted(range(value.dim()), key=lambda dim: -value.stride(dim))
    back = [order.index(dim) for dim in range(value.dim())]
    return value.permute(order).to(place, copy=True).permute(back)


def compare(what, run, *arguments):
    """One launch there, and what the processor gives, also in what was written to."""
    near, far = on(arguments, "cpu"), on(arguments, device)
    expected = run(*near)
    before = glint.cuda.launches()
    found = run(*far)
    launches = glint.cuda.launches() - before
    for here, there in ((expected, found), (near[0], far[0])):
        same = here is None or here.dtype == there.dtype and torch.equal(here, there.cpu())
        if not same or launches > 1:
            print(what, near[0].dtype, tuple(near[0].shape), near[0].stride(), launches, here, there)


def assign(x, key, value):
    x[key] = value


def numbers(shape, dtype=torch.float32):
    return (torch.randn(shape) * 4).abs().to(dtype)


def places(size, *shape):
    return torch.randint(-size, size, shape)


def layouts(shape, dtype):
    """A tensor in row-major order, one turned around, and every second column of one."""
    yield numbers(shape, dtype)
    yield numbers(shape[::-1], dtype).permute(*reversed(range(len(shape))))
    yield numbers((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2]


every = slice(None)
# A kernel is compiled for each form and dtype: all forms of one, some of the others.
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32,
              torch.int16, torch.int8, torch.uint8, torch.bool):
    stride = 1 if dtype == torch.float32 else 5
    for x in list(layouts((6, 5, 4), dtype))[::stride]:
        i, j, k = places(6, 7), places(5, 7), places(4, 7)
        rows, column = places(6, 3, 1), places(5, 2).int()
        for key, shape in ((i, (7, 5, 4)), ((every, j), (6, 7, 4)), ((..., k), (6, 5, 7)), ((i, j), (7, 4)),
                           ((every, j, k), (6, 7)), ((i, j, k), (7,)), ((rows, column), (3, 2, 4)),
                           ((i, every, k), (7, 5)), ((i[0], j), (7, 4)), ((i[0], j[0], k[0]), ()), (i[0], (5, 4)),
                           ((slice(1, 4), j), (3, 7, 4)), ((slice(0, 6, 2), every, k), (3, 5, 7)), ((2, j), (7, 4)),
                           ([0, -1], (2, 5, 4)), ((rows[:0], column), (0, 2, 4)))[::stride]:
            whole = numbers(shape, dtype)
            turned = whole.transpose(0, -1).contiguous().transpose(0, -1) if whole.dim() else whole
            for value in (whole, whole[..., :1] if whole.dim() else whole, 2.5, numbers((), dtype), turned):
                compare(f"x[{key}]", assign, x, key, value)
        for key, shape in (((i,), (7, 5, 4)), ((i, j), (7, 4)), ((rows, column), (3, 2, 4)), ((i, j, k), (7,)),
                           ((i[0], j[0]), (4,)), ((rows[:0],), (0, 1, 5, 4)))[::stride]:
            for accumulate in (False, True):
                for value in (numbers(shape, dtype), numbers((), dtype)):
                    compare("index_put", lambda x, key, value: x.index_put(key, value, accumulate), x, key, value)
                    compare("index_put_", lambda x, key, value: x.index_put_(key, value, accumulate), x, key, value)
        for dim, index in ((0, i), (1, j), (-1, k), (1, j[0]), (0, i[:0]))[::stride]:
            for value in (2, numbers((), dtype)):
                compare("index_fill", lambda x, index, value: x.index_fill(dim, index, value), x, index, value)
                compare("index_fill_", lambda x, index, value: x.index_fill_(dim, index, value), x, index, value)
        for dim, size in list(enumerate(x.shape))[::stride]:
            narrow, source = places(size, 3, 2, 3).abs() % size, numbers((4, 5, 3), dtype)
            for name in ("scatter", "scatter_", "scatter_add", "scatter_add_"):
                compare(name, lambda x, index, source: getattr(x, name)(dim, index, source), x, narrow, source)
            compare("scatter", lambda x, index: x.scatter(dim, index, 3), x, narrow)
    for name in ("index_fill", "index_fill_"):
        compare(name, lambda x, index: getattr(x, name)(0, index, 1), numbers((), dtype), torch.tensor(-1))

# Of two that name one place the last wins; sums of one place are made in order.
x, i, j = torch.zeros(40, 50), places(40, 3000) % 3, places(50, 3000) % 4
compare("last", assign, x, (i, j), torch.arange(3000.0))
compare("last turned", assign, x.t(), (j, i), torch.arange(3000.0))
values = numbers((3000,))
compare("added", lambda x, values, *key: x.index_put(key, values, True), x, values, i, j)
# A tensor whose dimensions are not one step, and lines that are cut.
wide = numbers((300, 70, 20))[:, ::2, 1:]
compare("wide", assign, wide, (places(300, 900), places(35, 900)), numbers((900, 19)))
compare("long", assign, numbers((200000,)), places(200000, 500), numbers((500,)))
compare("long fill", lambda x, index: x.index_fill(0, index, 1), numbers((200000,)), places(200000, 500))

# From 16384 indices on each of them writes for itself.
count = 20000
order = torch.randperm(count * 2)[:count] - count
compare("each", assign, torch.zeros(2 * count), order, numbers((count,)))
compare("each of two", assign, torch.zeros(200, 2, 200), (order // 200 % 200, 1, order % 200), 1.5)
ones = torch.ones(count)
compare("each added", lambda x, i, j, ones: x.index_put_((i, j), ones, True), torch.zeros(7, 9),
        places(7, count), places(9, count), ones)
compare("each filled", lambda x, index: x.index_fill_(1, index, 2), torch.zeros(3, 2 * count).t().contiguous().t(),
        order)

# Classes.
for shape in ((7,), (2, 3), (), (0,)):
    compare("one_hot", lambda index: F.one_hot(index, 5), torch.randint(0, 5, shape))
compare("one_hot", lambda index: F.one_hot(index, 100), torch.randint(0, 100, (9, 4)).t())
print(torch.equal(F.one_hot(torch.tensor([3, 1], device=device)).cpu(), F.one_hot(torch.tensor([3, 1]))))
classes = torch.compile(lambda index: F.one_hot(index + 1, 4) * 2)
print(classes(torch.tensor([2, 0], device=device)).tolist())

# Written to by itself, an expanded tensor, and gradients.
for place in ("cpu", device):
    x, i = torch.arange(6.0, device=place), torch.tensor([1, -1], device=place)
    print(x.clone().index_put_((i,), x[:2] + 1), x.expand(2, 6).index_put((i, i), x[:2]))
    shared = torch.zeros(4, device=place)
    shared[1:2].expand(3).index_put_((i,), torch.tensor(3.0)), shared[2:3].expand(3).index_fill_(0, i, 2.0)
    print(shared)
    leaf, rows = torch.ones(3, 4, device=place, requires_grad=True), torch.arange(8.0, device=place).requires_grad_()
    y = leaf * 2
    y[:, i] = rows[:6].reshape(3, 2)
    y[i, i] = 5.0
    y.index_fill(1, i[:1], 0.0).square().sum().backward()
    print(leaf.grad, rows.grad)
    x = torch.zeros(4, dtype=torch.int64, device=place)
    x[i] = 2.9
    print(x)

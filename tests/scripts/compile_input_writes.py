"""Parts of tensors from outside are written: by index, through views, in loops; and who sees it."""
import torch


def compiled(function):
    return torch.compile(function, backend="eager", fullgraph=True)


@compiled
def by_index(x):
    x[0] = 7
    x[1:3] += x[3:] * 2
    x[-1] *= 2
    return x.sum()


@compiled
def rows_and_columns(m):
    m[1, 2] = 5
    m[:, 0] = m[0, :3] - 1
    m[..., -1] = 1
    m[0] *= 3
    m.t()[1] = 8
    m.view(-1)[4] = -1
    return m * 2


@compiled
def views_see_it(x):
    before = x[0:2]
    x.add_(10)
    x[1] = 0
    after = x[1:]
    after.mul_(2)
    return before + 1, after - 1


@compiled
def views_go_out(x):
    first = x[0]
    x[0] = 3
    rest = x[1:].view(-1)
    rest.sub_(1)
    return first, rest


@compiled
def rows_in_a_loop(buffer, rows):
    for i in range(len(rows)):
        buffer[i] = rows[i] * 2 + buffer[i]
    return buffer.sum(0)


for start in (0.0, 1.0, 2.0):
    x = torch.arange(5.0) + start
    print(by_index(x), x)
    m = torch.arange(12.0).view(3, 4) + start
    print(rows_and_columns(m), m)
    x = torch.arange(4.0) + start
    print(views_see_it(x), x)
    x = torch.arange(4.0) + start
    first, rest = views_go_out(x)
    print(first, rest, x, first.data_ptr() == x.data_ptr(), x._version)
    x.zero_()
    rest[0] = 9
    print(first, rest, x)
    buffer = torch.ones(3, 2)
    print(rows_in_a_loop(buffer, [torch.ones(2) * start, torch.zeros(2)]), buffer)


class Cache:
    def __init__(self):
        self.keys = torch.zeros(4, 2)
        self.used = torch.zeros(4, dtype=torch.int64)

    def store(self, place, key):
        self.keys[place] = key
        self.used[place] += 1
        return self.keys.sum()


cache = Cache()
store = compiled(cache.store)
for place in (0, 2, 2, 3):
    print(store(place, torch.ones(2) * (place + 1)), cache.used)
print(cache.keys)

weight = torch.nn.Parameter(torch.arange(6.0).view(3, 2))


@compiled
def prune():
    with torch.no_grad():
        weight[0] = 0
        weight[:, 1].mul_(0.5)
    return (weight * weight).sum()


for _ in range(2):
    weight.grad = None
    prune().backward()
    print(weight.detach(), weight.grad)


@torch.compile(backend="eager")
def with_a_history(x, w):
    y = x * 1
    x[0] = 2
    y[0] = w * 3
    x[1] = y[0].detach()
    return (y * x).sum()


w = torch.tensor(2.0, requires_grad=True)
for _ in range(2):
    x = torch.ones(3)
    w.grad = None
    with_a_history(x, w).backward()
    print(w.grad, x)


@torch.compile(backend="eager")
def fails(x, index):
    x[0] = 5
    x[1] = x[0] * 2
    return x[index]


for index in (1, 9):
    x = torch.zeros(3)
    try:
        print(fails(x, index))
    except IndexError:
        print('no such index')

# Who shares the memory sees the writes too.
@torch.compile(backend="eager")
def shared(x, y):
    x[0] = 4
    y[1] = x[0] + 1
    return x * y


for _ in range(2):
    x = torch.ones(3)
    print(shared(x, x), x)
    base = torch.ones(4)
    print(shared(base[:3], base[1:]), base)
    print(shared(base[:3], torch.zeros(3)), base)

# Writing by index: as on the processor, to the last bit, for each dtype, layout and size, with many
# indices of one place; and how many launches it takes.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def same(what, near, far):
    if near.dtype != far.dtype or near.shape != far.shape or not torch.equal(near, far.cpu()):
        print(what, near.dtype, tuple(near.shape), near.stride())


def compare(x, dim, index, source):
    """Each operator, and its form in place, of a contiguous and of a transposed tensor."""
    for turned in (False, True):
        def on(tensor, place):
            moved = tensor.transpose(0, -1).to(place, copy=True).transpose(0, -1)
            return moved if turned and tensor.dim() else tensor.to(place, copy=True)
        for name, last in (("scatter", source), ("scatter_add", source), ("scatter", 2)):
            found = []
            for place in ("cpu", device):
                given = on(last, place) if isinstance(last, torch.Tensor) else last
                into = on(x, place)
                found.append(getattr(into, name)(dim, on(index, place), given))
                getattr(into, name + "_")(dim, on(index, place), given)
                found.append(into)
            same(name, found[0], found[2])
            same(name + "_", found[1], found[3])


def compare_slices(x, dim, index, source):
    for name in ("index_add", "index_copy"):
        found = []
        for place in ("cpu", device):
            into = x.to(place, copy=True)
            found.append(getattr(into, name)(dim, index.to(place), source.to(place)))
            getattr(into, name + "_")(dim, index.to(place), source.to(place))
            found.append(into)
        same(name, found[0], found[2])
        same(name + "_", found[1], found[3])


def numbers(shape, dtype):
    return (torch.randn(shape) * 3).abs().to(dtype)


for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32,
              torch.int16, torch.int8, torch.uint8, torch.bool):
    for x, index in (((), ()), ((1,), (1,)), ((7,), (20,)), ((7,), (0,)), ((5, 4), (9, 4)), ((5, 4), (3, 2)),
                     ((3, 40), (70, 40)), ((2, 3, 4), (2, 6, 4))):
        dim = 1 if len(x) == 3 else 0
        places = torch.randint(0, x[dim] if x else 1, index)
        compare(numbers(x, dtype), dim, places, numbers(index, dtype))
        if len(x) == 2:
            compare(numbers(x, dtype).t(), 1, places.t(), numbers(index, dtype).t())
    compare_slices(numbers((5, 4), dtype), 0, torch.tensor([4, 0, 4]), numbers((3, 4), dtype))
    compare_slices(numbers((5, 4), dtype).t(), -1, torch.tensor([1, 1], dtype=torch.int64), numbers((4, 2), dtype))
    compare_slices(numbers((3,), dtype), 0, torch.tensor(1), numbers((1,), dtype))
    compare_slices(numbers((), dtype), 0, torch.tensor([0]), numbers((), dtype))
# A line that is cut, by threads and by warps, with indices that repeat.
for shape, count in (((5000,), 3000), ((3, 900), 1000), ((2000, 40), 300), ((100, 64), 1000)):
    dim = len(shape) - 1 if shape[0] == 3 else 0
    wide = list(shape)
    wide[dim] = count
    compare(numbers(shape, torch.float32), dim, torch.randint(0, shape[dim], wide), numbers(wide, torch.float32))
    compare_slices(numbers(shape, torch.float32), dim, torch.randint(0, shape[dim], (count,)),
                   numbers(wide, torch.float32))
source = numbers((3, 4), torch.float32)
index = torch.tensor([4, 0, 4])
for alpha in (1, 2.7, -1):
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int8):
        x, rows = numbers((5, 4), dtype), numbers((3, 4), dtype)
        factor = alpha if dtype.is_floating_point else int(alpha)
        same("alpha", x.index_add(0, index, rows, alpha=factor),
             x.to(device).index_add(0, index.to(device), rows.to(device), alpha=factor))
x = numbers((6,), torch.float32)
turn = torch.tensor([5, 4, 3, 2, 1, 0])
y = x.to(device, copy=True)
same("itself", x.index_add(0, turn, x), y.index_add_(0, turn.to(device), y))


def launches(run):
    run()
    before = glint.cuda.launches()
    run()
    return glint.cuda.launches() - before


y, index, source = y.repeat(5, 1), index.to(device), torch.ones(3, 6, device=device)
wide = index.unsqueeze(1).expand(3, 6)
for run in (lambda: y.scatter(0, wide, source), lambda: y.scatter_add(0, wide, source),
            lambda: y.scatter(0, wide, 2), lambda: y.scatter_(0, wide, source),
            lambda: y.t().scatter_add_(1, wide.t(), source.t()), lambda: y.index_add(0, index, source),
            lambda: y.index_add_(0, index, source), lambda: y.index_copy(0, index, source)):
    print(launches(run) <= 1, end=" ")
print(launches(lambda: y.index_add(0, index, source, alpha=2)) <= 1)
compiled = torch.compile(lambda y: (y * 2).index_add(0, index, source).scatter(0, wide, 1.5) + 1)
print(compiled(y), launches(lambda: compiled(y)) <= 4)

# From 16384 indices on each of them writes for itself, sums in any order.
count, room = 20000, 5000
for dtype in (torch.float32, torch.float64, torch.int64, torch.int32, torch.bfloat16, torch.uint8):
    at, order = torch.randint(0, room, (count,)), torch.randperm(count)
    source, x = torch.randint(0, 9, (count,)).to(dtype), torch.ones(room).to(dtype)
    wide, empty = torch.zeros(3, room).to(dtype), torch.zeros(count).to(dtype)
    for run in (lambda to: to(x).scatter_add(0, to(at), to(source)), lambda to: to(empty).scatter(0, to(order), to(source)),
                lambda to: to(empty).index_copy(0, to(order), to(source)), lambda to: to(x).scatter(0, to(at), 3),
                lambda to: to(wide).index_add(1, to(at), to(source).expand(3, count)),
                lambda to: to(wide).clone().t().index_add_(0, to(at), to(source)[:, None].expand(count, 3))):
        if not torch.equal(run(lambda t: t), run(lambda t: t.to(device)).cpu()):
            print("other sums", dtype)

# An index that is out of range is told by the call that waits, not by one that only launches.
import torch

x = torch.arange(12.0).reshape(4, 3).cuda()
good, bad = torch.tensor([1, 2]).cuda(), torch.tensor([1, 9]).cuda()
whole = torch.arange(4).cuda()


def attempt(run):
    try:
        print(run())
    except RuntimeError as error:
        print(type(error).__name__, error)


# Nobody waits for these, whose kernels check what they are given.
picked, embedded = x[good], torch.nn.functional.embedding(good, x)
halves, placed = whole // 2, torch.zeros(3).cuda().scatter(0, good, x[0, :2])
put = torch.zeros(4, 3).cuda().index_put((good,), picked)
print(torch.cuda.current_stream().query())
print(torch.equal(picked, embedded), halves, placed, put.sum())

# What was launched later is right, and what was computed before stays.
lost = x[bad]
kept = x + 1
print("launched", torch.cuda.current_stream().query())
attempt(lambda: kept)
attempt(lambda: kept)
for wait in (torch.cuda.synchronize, torch.cuda.current_stream().synchronize, lambda: x.sum().item()):
    lost = torch.zeros(3).cuda().scatter(0, bad, x[0, :2])
    attempt(wait)
for write in (lambda: torch.nn.functional.one_hot(bad, 3), lambda: x.clone().index_add_(0, bad, x[:2]),
              lambda: x.clone().index_fill_(0, bad, 1)):
    lost = write()
    attempt(torch.cuda.synchronize)
h = torch.tensor([0.5, 0.25]).cuda()
print(torch.nn.functional.binary_cross_entropy(h, h))
for loss in (torch.nn.functional.binary_cross_entropy, torch.compile(torch.nn.functional.binary_cross_entropy)):
    for p, target in ((h * 4, h), (h, -h)):
        lost = loss(p, target)
        attempt(torch.cuda.synchronize)
event = torch.cuda.Event()
lost = whole // torch.zeros(4, dtype=torch.int64).cuda()
event.record()
attempt(event.synchronize)


@torch.compile
def pick(x, i):
    return x[i].sum(1) * 2


print(pick(x, good))
lost = pick(x, bad)
print("launched", torch.cuda.current_stream().query())
attempt(torch.cuda.synchronize)
print(pick(x, good))


# Rows of a place that is not there are not read, however a kernel goes over rows.
wide, missing = torch.randn(64, 64).cuda(), torch.tensor([3, 64]).cuda()
for over_rows in (lambda x, i: x[i].softmax(1), lambda x, i: torch.nn.functional.layer_norm(x[i], (64,)),
                  lambda x, i: torch.nn.functional.embedding(i, x).log_softmax(1), lambda x, i: x[i].argmax(1),
                  lambda x, i: x[i].cumsum(1), lambda x, i: x[i] * 2, lambda x, i: x[i].sum(0)):
    for dynamic in (False, True):
        compiled = torch.compile(over_rows, dynamic=dynamic)
        compiled(wide, good)
        lost = compiled(wide, missing)
        try:
            torch.cuda.synchronize()
        except RuntimeError as error:
            print("assert" in str(error), end=" ")
print(x.sum())


@torch.compile(mode="reduce-overhead")
def recorded(x, i):
    y = torch.softmax(x[i], 1)
    return y / y.sum(), x[i]


print(recorded(x, good)[0].sum(), recorded(x, good)[1])
print(recorded(x, good)[0].sum(), torch.cuda.current_stream().query())
lost = recorded(x, bad)
print("launched", torch.cuda.current_stream().query())
attempt(torch.cuda.synchronize)
# Nobody waits for the last one: the end of the script does.
lost = x[bad]

# mode="reduce-overhead": kernels of Glint's own stand in one record, whatever they do. The output is
# recorded.
import torch
import torch.nn.functional as F
import glint.cuda

torch.manual_seed(0)
x, i = torch.randn(6, 6, device="cuda"), torch.tensor([0, 2, 1], device="cuda")
m, image = torch.randn(3, 6, device="cuda"), torch.randn(2, 2, 8, 8, device="cuda")
mlp = torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.ReLU(), torch.nn.Linear(6, 6), torch.nn.ReLU(),
                          torch.nn.Linear(6, 6)).cuda()
convolutions = torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3), torch.nn.ReLU(), torch.nn.Conv2d(4, 2, 3)).cuda()


def products(x):
    for _ in range(6):
        x = torch.relu(x @ x) * 0.5
    return x


def launches(run, *args):
    before = glint.cuda.launches()
    result = run(*args)
    return glint.cuda.launches() - before, result


def one_record(name, f, *args):
    """The plain region's launches, the replay's, and whether both give the same, also anew."""
    plain, recorded = torch.compile(f), torch.compile(f, mode="reduce-overhead")
    for run in (plain, recorded, plain, recorded):
        run(*args)
    others = [each + 1 if each.is_floating_point() else each.flip(0) for each in args]
    same = []
    for given in (args, others, args):
        state = torch.cuda.get_rng_state()
        count, expected = launches(plain, *given)
        torch.cuda.set_rng_state(state)
        replays, found = launches(recorded, *given)
        same.append(torch.equal(expected, found))
    print(name, count, replays, all(same))


one_record("product behind softmax", lambda x: torch.softmax(x, 1) @ x, x)
one_record("six products", products, x)
one_record("mlp", mlp, x)
one_record("batches", lambda x: torch.bmm(x[None], x[None]).sum(1) * 2, x)
one_record("convolutions", convolutions, image)
one_record("index", lambda x, i: (x[i] * 2).sum(0), x, i)
one_record("embedding", lambda x, i: F.layer_norm(F.embedding(i, x), (6,)).sum(0), x, i)
one_record("cross_entropy", lambda x, i: F.cross_entropy(x[:3], i) * 2, x, i)
one_record("scatter", lambda x, i, m: (x * 2).index_add(0, i, m).sum(0), x, i, m)
one_record("index_put", lambda x, i, m: (x * 2).index_put((i,), m).sum(0), x, i, m)
one_record("one_hot", lambda i: F.one_hot(i, 5).sum(0), i)
one_record("division", lambda i: ((6 // (i + 1)).sort()[0] * 2).cumsum(0), i)
one_record("sort", lambda x: (x * 2).sort(1)[0].sum(0), x)
one_record("long sort", lambda x: x.repeat(1, 400).sort(1)[0].sum(0), x)
one_record("topk", lambda x: (x * 2).topk(3)[0].sum(0), x)
one_record("mode", lambda x: (x * 2).mode(1)[0].sum(0), x)
one_record("cummax", lambda x: (x * 2).cummax(1)[0].sum(0), x)
one_record("searchsorted", lambda x: torch.searchsorted(x.sort(1)[0], x * 2).sum(0), x)
one_record("dropout", lambda x: F.dropout(x * 2, 0.5).sum(0), x)
one_record("rand", lambda x: torch.softmax(torch.rand_like(x) * x, 1) @ x, x)
one_record("bernoulli", lambda x: (torch.bernoulli(torch.sigmoid(x)) * x).sum(0), x)
one_record("randperm", lambda x: x[torch.randperm(6, device="cuda")].sum(0), x)
# A size that depends on values is looked at on the processor.
one_record("nonzero", lambda x: (x > 0).nonzero().sum(0), x)


# The first run records as later ones replay.
fresh = torch.compile(lambda x, i: torch.softmax(x[i], 0) @ x, mode="reduce-overhead")
print(launches(fresh, x, i)[0], launches(fresh, x, i)[0])


# Other sizes, the first again; results stay what they were.
def mixed(x, i):
    y = torch.softmax(x[i] @ x.T, 1)
    return y @ y.T, y.sum(0), x


recorded, plain = torch.compile(mixed, mode="reduce-overhead"), torch.compile(mixed)
kept = []
for rows in (6, 9, 6, 17, 9):
    a, b = torch.randn(rows, 6, device="cuda"), torch.arange(rows - 1, -1, -2, device="cuda")
    kept.append((recorded(a, b), plain(a, b), a))
print(all(torch.equal(p, q) for found, expected, _ in kept for p, q in zip(found, expected)))
print(all(found[2] is a for found, _, a in kept))

# Numbers are drawn anew, and by the seed.
drop = torch.compile(lambda x: F.dropout(x @ x, 0.5) @ x, mode="reduce-overhead")
torch.manual_seed(3)
first = [drop(x) for _ in range(4)]
torch.manual_seed(3)
again = [drop(x) for _ in range(4)]
print([torch.equal(a, b) for a, b in zip(first, again)], any(torch.equal(first[0], each) for each in first[1:]))


# Inputs that are one tensor, or parts of one, and one that is written in place.
def write(x, y, i):
    x.mul_(2)
    return (x @ y)[i].sum(0), y[i] + 1


recorded = torch.compile(write, mode="reduce-overhead")
for make in (lambda a: (a, a.clone()), lambda a: (a, a), lambda a: (a[:3, :3], a[3:, 3:]), lambda a: (a, a)):
    given, eager = make(torch.ones(6, 6, device="cuda")), make(torch.ones(6, 6, device="cuda"))
    found, expected = recorded(*given, i), write(*eager, i)
    print(torch.equal(found[0], expected[0]), torch.equal(found[1], expected[1]), torch.equal(given[0], eager[0]))


# A check that fails in a replay is told, by the first kernel that meets it, and the session goes on.
@torch.compile(mode="reduce-overhead")
def pick(x, i, m):
    y = torch.softmax(x @ x, 1)
    return y[i].sum(0) @ x, y.index_add(0, i, m).sum(0)


good, bad = i, torch.tensor([0, 2, 7], device="cuda")
before = pick(x, good, m), pick(x, good, m)
for _ in range(2):
    try:
        lost = pick(x, bad, m)
        torch.cuda.synchronize()
        print("not told")
    except RuntimeError as error:
        print(type(error).__name__, error)
    after = pick(x, good, m)
    print(all(torch.equal(a, b) for a, b in zip(before[0], after)), launches(pick, x, good, m)[0])


# What comes before a check that fails is not done twice.
@torch.compile(mode="reduce-overhead")
def count(x, i):
    x.add_(1)
    return F.one_hot(i, 4).sum(), torch.rand(2, device="cuda")


calls = torch.zeros(2, device="cuda")
for given in (good, good, bad, good):
    try:
        print(count(calls, given)[0].item())
    except RuntimeError as error:
        print(type(error).__name__, error)
    print(calls)

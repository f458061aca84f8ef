# mode="reduce-overhead": what a region launches is recorded once, and then one launch. The output is
# recorded.
import torch
import glint.cuda


def f(x, y):
    z = torch.softmax(x @ y, dim=1)
    return z.sum(dim=0), torch.relu(z - z.mean()) * 2


@torch.compile(mode="reduce-overhead")
def recorded(x, y):
    return f(x, y)


plain = torch.compile(f)


def launches(run, *args):
    before = glint.cuda.launches()
    run(*args)
    return glint.cuda.launches() - before


x, y = torch.randn(6, 4, device="cuda"), torch.randn(4, 5, device="cuda")
recorded(x, y), plain(x, y)
print(launches(plain, x, y) > 2, launches(recorded, x, y))


def same(x, y):
    return all(torch.equal(a, b) for a, b in zip(recorded(x, y), plain(x, y)))


# Other memory, other sizes, the first again.
print(same(x, y), same(x + 1, y * 2), same(torch.randn(9, 4, device="cuda"), y), same(x, y))
print(launches(recorded, x, y))
kept = [recorded(x * k, y)[0] for k in range(3)]
print(all(torch.allclose(kept[k], f(x * k, y)[0]) for k in range(3)))


# A sum that all blocks share has a word to be cleared first: that is part of the record.
both = torch.compile(lambda x: (torch.softmax(x, 1), x.sum()), mode="reduce-overhead")
long = torch.ones(3000, 3, device="cuda")
both(long), both(long)
print(launches(both, long), both(long)[1], both(long + 1)[1])


# Writes, and a check that fails: eager execution then raises.
@torch.compile(mode="reduce-overhead")
def update(x, indices):
    x.mul_(2).add_(1)
    return x[indices].sum(dim=1), x.sum()


z = torch.ones(3, 2, device="cuda")
good, bad = torch.tensor([0, 2], device="cuda"), torch.tensor([7], device="cuda")
print(update(z, good), update(z, good), z)
try:
    print(update(z, bad))
except RuntimeError as error:
    print(type(error).__name__, error)
print(update(z, good))


# A training step, and its backward.
def train(mode):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)).cuda()
    step = torch.compile(lambda x: model(x).pow(2).mean(), mode=mode)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = step(x)
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 5))
    return losses


print(train("default") == train("reduce-overhead"))

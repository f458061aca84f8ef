# mode="max-autotune": each kernel runs in several ways at the first call, on what it is called with,
# and the best is kept. What the script sees is written once. The output is recorded.
import torch
import glint.cuda


def timed(run, *args):
    before = glint.cuda.timings()
    result = run(*args)
    return result, glint.cuda.timings() - before


def f(x, y):
    z = torch.relu(x @ y) * 2
    return torch.softmax(z, dim=1), z.sum(dim=0), z.sum()


tuned = torch.compile(f, mode="max-autotune")
plain = torch.compile(f)
x = torch.arange(48 * 40, device="cuda").reshape(48, 40).remainder(7) - 3.0
y = torch.arange(40 * 80, device="cuda").reshape(40, 80).remainder(5) - 2.0
result, count = timed(tuned, x, y)
print(count > 20, count == 0)
print(all(torch.allclose(a, b) for a, b in zip(result, plain(x, y))))

# Nothing is timed again, for the same sizes or for a second region that does the same.
again, count = timed(tuned, x, y)
print(count, all(torch.equal(a, b) for a, b in zip(again, tuned(x, y))))
print(timed(torch.compile(f, mode="max-autotune-no-cudagraphs"), x, y)[1])


def launches(run, *args):
    before = glint.cuda.launches()
    run(*args)
    return glint.cuda.launches() - before


# It is recorded as well, unless that is not asked for.
print(launches(tuned, x, y), launches(torch.compile(f, mode="max-autotune-no-cudagraphs"), x, y) > 1)


# Writes happen once, also in the call that tries.
@torch.compile(mode="max-autotune")
def update(x, momentum):
    momentum.mul_(0.5).add_(x)
    x.sub_(momentum)
    return x.sum()


x, momentum = torch.full((300,), 4.0, device="cuda"), torch.ones(300, device="cuda")
result, count = timed(update, x, momentum)
print(count > 5, count == 0, result, x[0].item(), momentum[299].item())
print(update(x, momentum), x[299].item(), momentum[0].item())


# A check that fails: eager execution raises, and the next call is right.
@torch.compile(options={"max_autotune": True})
def pick(x, indices):
    return x[indices] + 1


values = torch.arange(64.0, device="cuda")
try:
    print(pick(values, torch.tensor([70], device="cuda")))
except RuntimeError as error:
    print(type(error).__name__, error)
print(pick(values, torch.tensor([7], device="cuda")))


# Sizes that change: those to the next power of two share what was found.
@torch.compile(mode="max-autotune", dynamic=True)
def scale(x):
    return x * 2 + 1


counts = [timed(scale, torch.ones(n, device="cuda"))[1] for n in [100, 120, 128, 129, 250]]
print(sum(counts) == 0, counts[0] > 5, counts[1:3], counts[3] > 5, counts[4])
print(scale(torch.ones(77, device="cuda")).sum())

# Random numbers of a GPU: those of PyTorch's CUDA generator, drawn there. The output is recorded; the
# numbers of `rand` and `randn` for seeds 0 and 42 are PyTorch's on a GPU.
import torch
import glint.cuda
from torch import nn

F = nn.functional


def seeded(run, seed=0):
    torch.manual_seed(seed)
    return run()


def counted(run):
    """What a second call launches and copies."""
    run()
    launches, copies = glint.cuda.launches(), glint.cuda.copies()
    run()
    return glint.cuda.launches() - launches, [b - a for a, b in zip(copies, glint.cuda.copies())]


print(seeded(lambda: torch.rand(10, device="cuda")), seeded(lambda: torch.randn(4, device="cuda")))
print(seeded(lambda: torch.rand(6, device="cuda"), 42), seeded(lambda: torch.randn(5, device="cuda"), 42))

# Each distribution and dtype; a number of the wider types takes twice the bits.
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    x = torch.zeros(4, device="cuda", dtype=dtype)
    print(seeded(lambda: x.uniform_(2, 3).clone()), seeded(lambda: x.normal_(1, 2)))
    print(seeded(lambda: x.exponential_(0.5).clone()), seeded(lambda: x.bernoulli_(0.45).clone()), seeded(lambda: x.random_(7)))
for dtype in (torch.int64, torch.int32, torch.uint8, torch.bool, torch.float32, torch.float64):
    print(seeded(lambda: torch.zeros(4, device="cuda", dtype=dtype).random_()), end=" ")
print(seeded(lambda: torch.randint(-3, 4, (8,), device="cuda")),
      seeded(lambda: torch.randint(2 ** 40, (3,), device="cuda")),
      seeded(lambda: torch.randint_like(torch.zeros(3, device="cuda"), 5)))
p = torch.tensor([0.0, 1.0, 0.5, 0.5, 0.25, 0.75], device="cuda")
print(seeded(lambda: torch.bernoulli(p)), seeded(lambda: p.bernoulli(0.5)),
      seeded(lambda: torch.normal(p, 2 * p)), seeded(lambda: torch.normal(1.0, 2.0, (3,), device="cuda")))
print(seeded(lambda: torch.randperm(10, device="cuda")),
      torch.equal(torch.randperm(1000, device="cuda").sort()[0], torch.arange(1000, device="cuda")))
print(seeded(lambda: torch.multinomial(p, 3)), seeded(lambda: torch.multinomial(p, 5, True)),
      seeded(lambda: torch.multinomial(torch.stack([p, 1 - p]), 4, True)))
try:
    print(torch.bernoulli(p * 2))
except RuntimeError as error:
    print(error)

# More elements than threads: a thread draws four at a time, and the offset says how often.
torch.manual_seed(0)
long = torch.rand(600000, device="cuda")
print(long[[0, 221183, 221184, 442368, 599999]], torch.cuda.default_generators[0].get_offset(), long.mean())
torch.randn(600000, device="cuda", dtype=torch.float64)
print(torch.cuda.default_generators[0].get_offset(), torch.rand(1, device="cuda"))

# One launch and no copy, in place too where the tensor has no gaps.
x = torch.zeros(4, 6, device="cuda")
print(counted(lambda: torch.rand(5, device="cuda")), counted(lambda: torch.randn_like(x)),
      counted(lambda: torch.randint(9, (5,), device="cuda")), counted(lambda: x.t().normal_()),
      counted(lambda: x[1:3].uniform_()), counted(lambda: x[:, 1:].exponential_()),
      counted(lambda: F.dropout(x)), counted(lambda: F.dropout(x.t(), 0.1)))

# States and generators.
print(torch.cuda.initial_seed(), torch.manual_seed(7).device, torch.cuda.initial_seed())
torch.cuda.manual_seed(2 ** 40 + 3)
state = torch.cuda.get_rng_state()
first = torch.rand(3, device="cuda")
print(state.tolist(), torch.cuda.get_rng_state().tolist(), torch.initial_seed())
torch.cuda.set_rng_state(state)
print(torch.equal(first, torch.rand(3, device="cuda")), torch.rand(1))
g = torch.Generator(device="cuda").manual_seed(0)
print(g.device, g.initial_seed(), torch.rand(3, generator=g, device="cuda"), g.get_offset())
print(x[0].normal_(generator=g), torch.randperm(5, generator=g, device="cuda"), g.set_offset(4) is g)
with torch.random.fork_rng():
    torch.rand(5, device="cuda"), torch.rand(5)
print(torch.cuda.default_generators[0].get_offset(), torch.rand(1))
for wrong in (lambda: torch.rand(2, generator=torch.Generator(), device="cuda"),
              lambda: torch.rand(2, generator=g), lambda: x.normal_(generator=torch.default_generator),
              lambda: g.set_offset(3), lambda: g.set_state(state[1:]), lambda: torch.Generator().get_offset()):
    try:
        wrong()
    except RuntimeError as error:
        print(error)

# Dropout keeps which elements it kept; eager and compiled code draw the same numbers.
w = torch.ones(3, 4, device="cuda", requires_grad=True)
y = seeded(lambda: F.dropout(w * 2, 0.25))
y.sum().backward()
print(y, w.grad, F.dropout(w, 0.5, training=False) is w, F.dropout(w, 1.0).sum())
print(seeded(lambda: F.dropout(torch.ones(6, device="cuda"), 0.5)),
      seeded(lambda: F.dropout(torch.ones(7, device="cuda"), 0.5)),
      seeded(lambda: F.dropout(torch.ones(8, device="cuda", dtype=torch.float16), 0.5)))


def noisy(x):
    return F.dropout(x + torch.rand_like(x), 0.5) * torch.randn(3, 4, device="cuda")


def trained(w):
    return (F.dropout(w * w, 0.5) ** 2 + F.dropout(torch.sigmoid(w), 0.3)).sum()


def gradient(run):
    w.grad = None
    run(w).backward()
    return w.grad


x = torch.ones(3, 4, device="cuda")
for mode in (None, "reduce-overhead"):
    fast, fast_trained = torch.compile(noisy, mode=mode), torch.compile(trained, mode=mode)
    for seed in range(3):
        same = torch.equal(seeded(lambda: noisy(x), seed), seeded(lambda: fast(x), seed))
        expected, found = seeded(lambda: gradient(trained), seed), seeded(lambda: gradient(fast_trained), seed)
        print(same, torch.equal(expected, found), end=" ")
    # A replay draws new numbers.
    print(counted(lambda: fast(x)), torch.equal(fast(x), fast(x)))


def filled(x):
    x.uniform_()
    y = x * 2
    x[1:].normal_()
    return y + x


# What a region draws into its inputs; what lies in another order of dimensions; nothing at all.
fast = torch.compile(filled)
for seed in range(2):
    x, y = torch.zeros(5, device="cuda"), torch.zeros(5, device="cuda")
    print(torch.equal(seeded(lambda: filled(x), seed), seeded(lambda: fast(y), seed)), torch.equal(x, y), end=" ")
x = torch.zeros(3, 2, 4, device="cuda").permute(2, 0, 1)
print(seeded(lambda: x.normal_())[0], torch.rand_like(x).stride())
print(torch.rand(0, device="cuda"), torch.randperm(0, device="cuda"), torch.randn((), device="cuda").shape,
      F.dropout(torch.rand(0, device="cuda")), torch.cuda.default_generators[0].get_offset())
for wrong in (lambda: torch.zeros(3, device="cuda", dtype=torch.int32).uniform_(),
              lambda: torch.zeros(3, device="cuda").expand(2, 3).uniform_(),
              lambda: torch.randint(5, 5, (2,), device="cuda")):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)

# What is computed again for the backward draws the same again.
for reentrant in (False, True):
    x = torch.ones(3, 50, device="cuda", requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(F.dropout, x, use_reentrant=reentrant)
    y.sum().backward()
    print(torch.equal(x.grad, y), end=" ")

# What the GPU draws leaves the generator of the processor alone.
torch.manual_seed(0)
torch.rand(100, device="cuda")
print(torch.rand(3), torch.nn.init.kaiming_normal_(torch.empty(2, 2, device="cuda")))

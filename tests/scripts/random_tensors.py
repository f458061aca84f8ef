# Random tensors in every form, PyTorch's own numbers, with generators.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


torch.manual_seed(0)
print(torch.randint(10, (3,)), torch.randint(5, 8, (2, 2)), torch.randint(0, 2, (4,), dtype=torch.bool))
print(torch.randint(low=3, high=9, size=(2,)), torch.randint(3, (2,), dtype=torch.float32))
print(torch.randint_like(torch.zeros(3), 7), torch.randint_like(torch.zeros(2, dtype=torch.int64), 2, 5))
print(torch.randperm(8), torch.randperm(4, dtype=torch.int32), torch.randperm(0))
print(torch.normal(0.0, 1.0, (3,)), torch.normal(torch.zeros(3), torch.ones(3)), torch.normal(torch.arange(3.0), 0.1),
      torch.normal(2.0, torch.ones(2)))
print(torch.multinomial(torch.tensor([1.0, 2.0, 3.0, 4.0]), 3), torch.multinomial(torch.ones(3), 8, replacement=True))
print(torch.multinomial(torch.tensor([[0.1, 0.9, 0.0], [0.0, 0.0, 1.0]]), 1))
print(torch.bernoulli(torch.tensor([0.0, 0.5, 1.0])), torch.poisson(torch.tensor([1.0, 5.0])) if False else "")
g = torch.Generator()
print(g.manual_seed(42) is g, g.initial_seed())
print(torch.rand(2, generator=g), torch.randn(3, generator=g), torch.randint(100, (3,), generator=g))
print(torch.randperm(5, generator=g), torch.multinomial(torch.ones(4), 2, generator=g))
print(torch.normal(0.0, 1.0, (2,), generator=g), torch.bernoulli(torch.full((4,), 0.5), generator=g))
print(torch.empty(3).uniform_(-1, 1, generator=g), torch.empty(3).normal_(generator=g), torch.empty(2).random_(5, generator=g))
print(torch.empty(3).bernoulli_(0.5, generator=g), torch.empty(2).exponential_(generator=g))
state = g.get_state()
first = torch.rand(2, generator=g)
g.set_state(state)
print(torch.equal(first, torch.rand(2, generator=g)))
saved = torch.get_rng_state()
first = torch.rand(3)
torch.set_rng_state(saved)
print(torch.equal(first, torch.rand(3)), torch.initial_seed())
other = torch.Generator().manual_seed(42)
torch.manual_seed(42)
print(torch.equal(torch.randn(20, generator=other), torch.randn(20)))
with torch.random.fork_rng():
    torch.manual_seed(9)
    print(torch.rand(1))
attempt("multinomial", lambda: torch.multinomial(torch.tensor([1.0, 0.0]), 2))
attempt("negative", lambda: torch.multinomial(torch.tensor([1.0, -1.0]), 1))
attempt("randint", lambda: torch.randint(5, 5, (2,)))
torch.manual_seed(5)
print(torch.randint(high=9, size=(4,)), torch.randint(9, size=(2, 2)), torch.randint(size=(3,), high=5, low=2))
print(torch.randint(high=2, size=[3], dtype=torch.bool), torch.randint(high=9, size=(2,), generator=g))
attempt("randint", lambda: torch.randint(high=-5, size=(3,)))

"""Seeds of all kinds, states that are kept and put back, sources that are shared and spawned."""
import numpy as np

for seed in (0, 1, 42, 2**32 - 1, [1, 2, 3], [5], (7, 8), np.array([9, 10]), np.int64(3), True):
    rng = np.random.RandomState(seed)
    print(seed, rng.rand(2).tolist(), rng.randn())
for seed in (0, 1, 42, 2**32, 2**40 + 5, [1, 2, 3], [5], [2**33, 1, 2, 3, 4, 5, 6], np.array([9, 10]), np.int64(3)):
    print(seed, np.random.default_rng(seed).random(2).tolist(), np.random.Generator(np.random.MT19937(seed)).random(2).tolist())
    print(np.random.SeedSequence(seed).generate_state(3).tolist())

np.random.seed(12)
print(np.random.rand(2, 2).tolist(), np.random.randn(3).tolist(), np.random.randint(5, size=4).tolist())
print(np.random.random(), np.random.random_sample(2).tolist(), np.random.ranf(), np.random.sample((1, 2)).tolist())
np.random.seed(12)
print(np.random.rand(), np.random.get_state()[0], np.random.get_state()[2:])

# A seed forgets the second of a pair of normal numbers; a state keeps it.
rng = np.random.RandomState(5)
rng.randn()
state = rng.get_state()
first = rng.randn(3).tolist()
rng.set_state(state)
print(first == rng.randn(3).tolist(), state[2:], state[1][:3].tolist())
kept = rng.get_state(legacy=False)
print(kept["bit_generator"], kept["has_gauss"], kept["state"]["pos"])
first = rng.normal(size=3).tolist()
rng.set_state(kept)
print(first == rng.normal(size=3).tolist())
rng.randn()
rng.seed(5)
print(rng.randn() == np.random.RandomState(5).randn())

rng = np.random.default_rng(5)
print(rng.integers(10, dtype="int32"), rng.bit_generator.state)
state = rng.bit_generator.state
first = rng.integers(1000, size=3, dtype="int32").tolist(), rng.random()
rng.bit_generator.state = state
print(first == (rng.integers(1000, size=3, dtype="int32").tolist(), rng.random()), rng.bit_generator.state == state)
print([child.random() for child in rng.spawn(2)], rng.spawn(1)[0].random())
print(np.random.SeedSequence(5).spawn(2), np.random.SeedSequence([1, 2], spawn_key=(3,)).generate_state(2).tolist())
print(np.random.SeedSequence(5).state, np.random.PCG64(np.random.SeedSequence(3)).state["state"])

# Two that draw from one source.
source = np.random.MT19937(4)
old, new = np.random.RandomState(source), np.random.Generator(source)
print(old.rand(), new.random(), old.randn(), new.normal(), old.randint(100), new.integers(2**40))
print(np.random.RandomState(np.random.PCG64(4)).randn(3).tolist(), np.random.default_rng(new) is new, str(np.random.default_rng(old)))
print(str(np.random.RandomState(1)), str(np.random.default_rng(1)), np.random.default_rng().random() != np.random.default_rng().random())

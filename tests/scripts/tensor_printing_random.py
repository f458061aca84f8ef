"""Tensors of random dtypes, sizes and magnitudes, printed."""
import torch, random, math
random.seed(7)
D = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
def values(n, kind):
    r = random.random
    if kind == 0: return [r() for _ in range(n)]
    if kind == 1: return [(r() - 0.5) * 10 ** random.randint(-6, 6) for _ in range(n)]
    if kind == 2: return [float(random.randint(-5, 5)) for _ in range(n)]
    if kind == 3: return [random.choice([float('nan'), float('inf'), -float('inf'), 0.0, -0.0, 1.5, -2.0, 1e10, 1e-10]) for _ in range(n)]
    if kind == 4: return [(r() - 0.5) * 10 ** 9 for _ in range(n)]
    if kind == 5: return [r() * 1e-7 for _ in range(n)]
    if kind == 6: return [float(random.randint(-10**7, 10**7)) for _ in range(n)]
    if kind == 7: return [random.choice([float('nan'), float('inf'), 0.0]) for _ in range(n)]
    if kind == 8: return [random.choice([1e30, -3e38, 1e-40, 5.0]) for _ in range(n)]
    if kind == 9: return [random.choice([0.1, 999.9, 1000.0, 0.001]) for _ in range(n)]
    return [random.choice([1.0, 100000.0, 99999999.0, 100000000.0, 123456789.0]) for _ in range(n)]
SHAPES = [(), (1,), (3,), (0,), (7,), (2, 3), (3, 0), (0, 2), (1, 1, 1), (2, 2, 2), (30,), (4, 7), (2, 1, 3, 2), (1001,), (50, 30), (12, 11, 10), (1, 1200), (6, 1, 200), (3, 400), (2, 0, 3)]
for case in range(110):
    shape, dtype, kind = random.choice(SHAPES), random.choice(D), random.randint(0, 10)
    n = math.prod(shape)
    v = values(n, kind)
    if not dtype.is_floating_point:
        v = [0 if (z != z or abs(z) == float('inf')) else int(max(-100, min(100, z))) if dtype in (torch.int8, torch.int16) else int(max(-2e9, min(2e9, z))) if dtype != torch.int64 else int(max(-9e15, min(9e15, z))) for z in v]
        if dtype == torch.uint8: v = [min(255, abs(z)) for z in v]
        if dtype == torch.bool: v = [z > 0 for z in v]
    t = torch.tensor(v, dtype=torch.float64 if dtype.is_floating_point else torch.int64).to(dtype).reshape(shape)
    print(case, shape, dtype, kind)
    print(t)
    if case % 5 == 0: print([t, (t, {'a': t})])
    if case % 7 == 0 and t.dim() == 2 and t.numel() < 100: print(t.transpose(0, 1))
    if case % 9 == 0 and t.numel() == 1: print(f"{t} {t.item()!r}")
    if case % 11 == 0 and dtype.is_floating_point: print(torch.nn.Parameter(t)); print(t.clone().requires_grad_())
    if case % 13 == 0: print(str(t), repr(t), "%s" % t)

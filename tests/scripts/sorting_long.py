# Sorting of rows that are long enough to go digit by digit: every dtype, equal elements, NaN, zeros of both signs.
import torch

torch.manual_seed(0)
base = torch.randn(3, 700)
base[:, ::7] = base[:, 3:4]
base[0, 5], base[0, 300], base[1, 2], base[1, 600] = float("nan"), float("inf"), -float("inf"), float("nan")
base[2, ::50], base[2, 25::50] = 0.0, -0.0


def check(x, **how):
    values, places = x.sort(dim=-1, stable=True, **how)
    same = torch.equal(values.nan_to_num(), x.gather(-1, places).nan_to_num()) if x.is_floating_point() else torch.equal(values, x.gather(-1, places))
    equal = (values[..., 1:] == values[..., :-1])
    return same, bool((places[..., 1:] > places[..., :-1])[equal].all()), values[..., ::233].tolist(), places[..., ::233].tolist()


for descending in (False, True):
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        print(dtype, *check(base.to(dtype), descending=descending))
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8):
        print(dtype, *check((base.nan_to_num(0.0, 9.0, -9.0) * 13).round().to(dtype), descending=descending))
    print(*check((base * 13).abs().nan_to_num(0.0, 9.0).to(torch.uint8), descending=descending), *check(base > 0, descending=descending))
big = torch.randint(-2**62, 2**62, (2000,))
print(big.sort()[0][:2], big.argsort()[:5], bool((big.sort(descending=True)[0].flip(0) == big.sort()[0]).all()))
print((base > 0).sort(0)[0].sum(), base.sort(0)[1][:, :9], base.t().sort(0)[0][:2])
many = torch.randint(0, 50, (4000,))
values, inverse, counts = many.unique(return_inverse=True, return_counts=True)
print(values.shape, counts[:5], bool((values[inverse] == many).all()), torch.randn(2000).median(), torch.arange(1001.0).flip(0).median(0))
some = torch.arange(0, 60, 3)
print(torch.isin(many, some)[:12], torch.isin(base, base[2, :40])[2, :42].sum(), torch.isin(many, some, invert=True).sum(), torch.isin(base, torch.full((20,), float("nan"))).any())
print(torch.isin(torch.tensor([1.5, 2.0, 3.0]), torch.arange(20)))
try:
    torch.isin(torch.tensor([True, False]), torch.ones(20, dtype=torch.bool))
except NotImplementedError as error:
    print(error)
nan, inf = float("nan"), float("inf")
sought = torch.tensor([nan, inf, -inf, -0.0, 0.5, 7.0])
for others in (torch.cat([torch.arange(30.0), torch.tensor([inf] + [nan] * 40)]), torch.full((30,), nan), torch.tensor([-inf, nan, 0.0] * 10)):
    print(torch.isin(sought, others), torch.isin(sought, others, invert=True), torch.isin(sought.half(), others.half()))

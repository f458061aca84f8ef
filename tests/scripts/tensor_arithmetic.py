# tolerance: 1e-5
# Arithmetic operators, with broadcasting and Python numbers on either side.
import torch

a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = torch.tensor([10.0, 20.0, 30.0])
print(a + b, a - b, a * b, a / b, b // a, b % a, a**2, 2**a, -a, +a, abs(-a))
print(a + 1, 1 + a, 1 - a, 2 * a, 1 / a, 10 // a, 10 % a, a // 2, a % 2, a - 0.5)
c = torch.tensor([[1.0], [2.0]])
print(c + b, c * a, (c + torch.zeros(3, 1, 1)).shape, torch.tensor(2.0) * a)
i = torch.tensor([7, -7, 8])
print(i // 2, i % 3, i / 2, i**2, -i, i & 3, i | 8, i ^ 1, ~i, i << 1, i >> 1, i // -2, i % -3)
print(a == 2, a != 2, a < 3, a <= 3, a > 3, a >= 3, b == torch.tensor([10.0, 0.0, 30.0]), (a > 2) & (a < 5), ~(a > 2), (a > 5) | (a < 2), (a > 2) ^ (a > 4))
print(torch.add(a, b, alpha=2), torch.sub(a, 1), torch.mul(a, 2), torch.div(b, 3), torch.div(b, 7, rounding_mode="floor"), torch.div(-b, 7, rounding_mode="trunc"), torch.pow(a, 0.5), torch.remainder(i, 3), torch.fmod(i, 3))
print(a.add(1).mul(2).sub(3).div(4), a.eq(b), a.gt(2), torch.maximum(a, b / 10), torch.minimum(a, b / 10), torch.clamp(a, 2, 5), a.clamp(min=3), a.clamp(max=2))
print(torch.where(a > 3, a, -a), torch.where(a > 3, 1.0, 0.0), a.masked_fill(a > 4, 0), torch.logical_and(a > 1, a < 3), torch.logical_not(a > 1), torch.logical_or(a > 5, a < 2))
print(torch.tensor([1.0, 0.0, -1.0]) / 0, torch.tensor([0.0]) % 0, torch.tensor([True, False]) * 2, torch.tensor([5.5]) // 0.0)
try:
    torch.tensor([1]) // 0
except RuntimeError as error:
    print(error)

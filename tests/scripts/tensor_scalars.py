# Tensors of no dimension among Python's numbers.
import torch

t = torch.tensor(3.5)
i = torch.tensor(4)
print(t + 1, 1 + t, t * 2, float(t), int(t), bool(t), t.item() + 1, round(t.item()), t > 3, bool(t > 3), t == 3.5, not t, t and "yes", -t, abs(-t))
print(list(range(i)), [0] * i, "ab" * i, [1, 2, 3, 4, 5][i], 10 // i, 10 % i, i**2, 2**i, hash(i) == hash(i), f"{t:.2f} {i:03d} {t}", max(t, torch.tensor(5.0)), min(3, i), sum([t, i]))
if t > i:
    print("greater")
elif t < i:
    print("less")
total = 0
for v in torch.arange(3):
    total += v
print(total, type(total).__name__, [v.item() for v in torch.tensor([1.5, 2.5])], sorted([torch.tensor(3), torch.tensor(1)]), [torch.tensor(1), 2] == [1, 2], torch.tensor(1) in [1], math_ok := (torch.tensor(2.0) ** 0.5).item() == 2.0**0.5 or "rounded")
for bad in (lambda: bool(torch.tensor([1, 2])), lambda: torch.tensor([1, 2]).item(), lambda: float(torch.tensor([1.0, 2.0])), lambda: len(torch.tensor(1)), lambda: iter(torch.tensor(1)), lambda: bool(torch.tensor([]))):
    try:
        bad()
    except (RuntimeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)

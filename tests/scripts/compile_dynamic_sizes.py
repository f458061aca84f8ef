# tolerance: 1e-4
# Every size from 0 to 70, in several shapes, through one compiled function.
import torch


def f(x):
    y = torch.exp(-x.abs()) * 2 + x
    return (y / (1 + y.sum(dim=-1, keepdim=True).abs())).amax(dim=-1), y.mean()


automatic, dynamic, static = torch.compile(f), torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)
torch.manual_seed(0)
agree = True
for n in range(2, 71):
    x = torch.randn(3, n)
    expected = f(x)
    for g in (automatic, dynamic):
        got = g(x)
        agree = agree and torch.allclose(got[0], expected[0], atol=1e-5) and torch.allclose(got[1], expected[1], atol=1e-5)
for n in (1, 2, 3):
    agree = agree and torch.allclose(static(torch.ones(n, 4))[0], f(torch.ones(n, 4))[0])
print(agree, dynamic(torch.ones(1, 1)), automatic(torch.ones(5, 3)))

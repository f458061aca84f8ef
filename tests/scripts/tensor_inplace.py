# tolerance: 1e-5
# In-place forms: same object, aliases see it, dtype stays.
import torch

x = torch.tensor([1.0, 2.0, 3.0])
y = x
x += 1
x.mul_(2).sub_(1)
print(x, y is x, x.add_(torch.tensor([1.0, 0.0, -1.0])), x.div_(2), x.neg_(), x.abs_(), x.pow_(2), x.sqrt_(), x.exp_(), x.log_())
x.zero_()
print(x, x.fill_(3), x.clamp_(max=2), x.copy_(torch.tensor([7, 8, 9])), x.relu_(), x.sigmoid_(), x.tanh_())
z = torch.zeros(2, 2)
z[0].fill_(1)
z.t()[1].add_(5)
print(z, z.masked_fill_(z > 4, -1), z.add_(1, alpha=3))
n = torch.tensor([1, 2])
n *= 2
n //= 3
n **= 2
n %= 3
n -= 1
n |= 4
print(n, n.dtype)
h = torch.ones(2, dtype=torch.float16)
h += torch.ones(2)
print(h)
out = torch.empty(3)
torch.add(torch.ones(3), 2, out=out)
print(out)


def change(t):
    t += 1
    t = t + 1
    return t


base = torch.zeros(2)
print(change(base), base)
for bad in (lambda: torch.zeros(2).add_(torch.zeros(3)), lambda: torch.zeros(2).add_(torch.zeros(2, 2)), lambda: torch.zeros(2, dtype=torch.int64).mul_(1.5), lambda: torch.zeros(1).expand(3).add_(torch.ones(3))):
    try:
        bad()
    except RuntimeError as error:
        print(str(error).splitlines()[0])

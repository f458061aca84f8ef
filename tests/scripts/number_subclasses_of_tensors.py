# Numbers of scripts' classes where torch takes numbers, and in compiled functions.
from enum import Enum, IntEnum, IntFlag, auto

import torch
from torch import nn


class Dim(IntEnum):
    BATCH = 0
    CHANNEL = 1
    WIDTH = 2


class Rate(float):
    @property
    def half(self):
        return self / 2


class Size(int):
    def __new__(cls, value, name=""):
        made = super().__new__(cls, value)
        made.name = name
        return made


x = torch.arange(24.0).reshape(Size(2), Size(3), Size(4))
r = Rate(0.5)
n = Size(3, "three")
print(x.size(Dim.CHANNEL), x.shape[Dim.WIDTH], x.sum(Dim.CHANNEL), x.sum(dim=Dim.WIDTH), x.mean((Dim.BATCH, Dim.WIDTH)))
print(torch.zeros(n), torch.zeros(n, 2), torch.zeros((n, Size(1))), torch.ones(size=(n,)), torch.full((Size(2),), n), torch.full((2,), r), torch.eye(n), torch.arange(n), torch.arange(Size(1), n), torch.linspace(0, r, n))
print(x[Dim.CHANNEL], x[:, Dim.CHANNEL], x[..., n], x[0, 1:n], x[Size(0), Size(1), Size(2)].item())
print(torch.tensor(n), torch.tensor(r), torch.tensor([n, 1]), torch.tensor([r, n]), torch.tensor([[n, Dim.WIDTH]]), torch.as_tensor(n), torch.tensor(n).dtype, torch.tensor(r).dtype)
print(x[0, 0] * r, r * x[0, 0], x[0, 0] + n, n - x[0, 0], n / x[0, 0, 1:], x[0, 0] ** n, n ** x[0, 0], x[0, 0] // n, x[0, 0] % n, x[0, 0] == n, n < x[0, 0], x[0, 0] >= r, n in x, 99 in x)
y = torch.zeros(4)
y[Dim.CHANNEL] = r
y[n] = n
y += n
y *= r
y[torch.tensor([0, 2])] = r
print(y, y.add(n), torch.add(y, n, alpha=n), torch.mul(y, r), torch.clamp(y, r, n), y.clamp(min=n), torch.where(y > 1, n, r), torch.pow(y, n), y.masked_fill(y > 1, r))
print(x.transpose(Dim.CHANNEL, Dim.WIDTH).shape, x.permute(Dim.WIDTH, Dim.BATCH, Dim.CHANNEL).shape, x.unsqueeze(Dim.WIDTH).shape, x.view(n, -1).shape, x.expand(Size(2), 3, 4).shape, torch.cat([x, x], Dim.WIDTH).shape, torch.stack([x, x], dim=Dim.CHANNEL).shape, x.split(Size(2), Dim.WIDTH)[0].shape, x.chunk(n, Dim.CHANNEL)[0].shape, x.argmax(Dim.WIDTH).shape, x.flatten(Dim.CHANNEL).shape, torch.Size([n, 2]), x.new_zeros(n), x.repeat(1, n, 1).shape)
torch.manual_seed(Size(7))
layer = nn.Linear(Size(4), n)
print(layer, layer(x).shape, layer.in_features, nn.Dropout(Rate(0.25)), nn.Embedding(n, Size(2)).weight.shape, nn.LayerNorm(Size(4))(x).shape, nn.Conv1d(n, Size(2), Size(1))(x).shape, torch.rand(n).shape)
optimizer = torch.optim.SGD(layer.parameters(), lr=Rate(0.1), momentum=Rate(0.5))
layer(x).sum().backward()
optimizer.step()
print(layer.weight.sum().item() < 100, optimizer.param_groups[0]["lr"], torch.nn.functional.dropout(x, r, False).equal(x), torch.softmax(x, Dim.WIDTH).shape)
print(torch.tensor([1, 2, 3])[n - 1], [10, 20, 30][Dim.WIDTH], torch.randn(2, generator=torch.Generator().manual_seed(n)).shape)


@torch.compile
def scaled(x, r, n):
    return x * r + n, type(r).__name__, r + n, n


x = torch.ones(3)
for rate, count in ((Rate(0.5), Size(2)), (0.5, 2), (Rate(0.5), 2), (0.5, Size(2)), (Rate(0.25), Size(3)), (Rate(0.5), Size(2)), (0.75, 5), (Rate(0.75), Dim.CHANNEL), (0.75, 1)):
    print(scaled(x, rate, count))


class Mode(IntEnum):
    ADD = auto()
    MULTIPLY = auto()


@torch.compile
def by_mode(x, mode):
    if mode == Mode.ADD:
        return x + mode
    if mode is Mode.MULTIPLY:
        return x * mode
    return x[: mode]


for mode in (Mode.ADD, Mode.MULTIPLY, 1, 2, 3, True, Mode(2), Size(1), Rate(2.0) // 1 == 2):
    print(by_mode(x, mode))


@torch.compile
def reduced(x, dim):
    return x.sum(dim) * dim.half if isinstance(dim, Rate) else x.sum(dim)


class Axis(int):
    scale = 2

    def scaled(self, x):
        return x.sum(self) * self.scale * self.weight


axis = Axis(1)
axis.weight = 3


@torch.compile
def along(x, axis):
    return axis.scaled(x)


x = torch.arange(6.0).reshape(2, 3)
print(reduced(x, Dim.CHANNEL), reduced(x, 1), reduced(x, Dim.BATCH), along(x, axis), along(x, axis))
axis.weight = 5
print(along(x, axis))
Axis.scale = 7
print(along(x, axis))
other = Axis(0)
other.weight = 1
print(along(x, other), along(x, axis))


@torch.compile
def made_inside(x):
    size = Size(2, "two")
    rate = Rate(0.5)
    return x * size + rate.half, size, rate, size.name, size + 1


for _ in range(3):
    print(made_inside(torch.ones(2)), type(made_inside(torch.ones(2))[1]).__name__)


class Perm(IntFlag):
    R = 4
    W = 2
    X = 1


@torch.compile
def with_flags(x, perm):
    if perm & Perm.R:
        x = x + 1
    if Perm.W in perm:
        x = x * 10
    return x, perm | Perm.X


for perm in (Perm.R, Perm.R | Perm.W, Perm.X, Perm(0), Perm.R):
    print(with_flags(torch.ones(2), perm))

table = {Mode.ADD: 1.5, Mode.MULTIPLY: 2.5}


def looked_up(x, key):
    return x * table[key] + table[Mode.ADD]


print(looked_up(torch.ones(2), Mode.ADD), looked_up(torch.ones(2), 2), looked_up(torch.ones(2), Mode.MULTIPLY), looked_up(torch.ones(2), 1))
losses = [Rate(1.0), Rate(2.0)]
print(sum(losses) / len(losses), torch.tensor(losses), torch.stack([torch.tensor(l) for l in losses]).mean())


class Gain(float):
    def __add__(self, other):
        return 100.0

    def __mul__(self, other):
        return float(self) * other


def gained(x, g, r):
    made = Gain(r + 1)
    made.note = "made"
    return x * (g + 1) + g * 2, made, made.note, x * made, {g: 1}[g]


for r in (0.5, 1.5, 2.5):
    print(gained(torch.ones(2), Gain(r), r), gained(torch.ones(1), Gain(3.0), r)[1] is made_inside)
Gain.__add__ = lambda self, other: 200.0
print(gained(torch.ones(2), Gain(0.5), 0.5))
first, second = gained(torch.ones(2), Gain(0.5), 0.5)[1], gained(torch.ones(2), Gain(0.5), 0.5)[1]
print(first is second, first == second, type(first).__name__)


class Text(str):
    def shout(self):
        return self.upper() + self.mark


def shown(x, text):
    return x + len(text), isinstance(text, Text), text.shout() if isinstance(text, Text) else text


for mark in ("!", "?"):
    text = Text("ab")
    text.mark = mark
    print(shown(torch.ones(1), text), shown(torch.ones(1), "ab"), shown(torch.ones(1), text))

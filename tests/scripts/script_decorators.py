# What older PyTorch code takes from torch.jit, torch.nn.modules.utils and numbers.
import numbers
import warnings

import numpy as np
import torch
from torch import nn
from torch.nn.modules.utils import _ntuple, _pair, _quadruple, _reverse_repeat_tuple, _single, _triple

warnings.simplefilter("ignore")


@torch.jit.script
def fused_gelu(x):
    return x * 0.5 * (1.0 + torch.erf(x / 1.41421))


@torch.jit.script
def scaled(x: torch.Tensor, n: int = 2, shift: bool = True) -> torch.Tensor:
    if shift:
        x = x + n
    return x * n


@torch.jit.ignore
def ignored(x):
    return x + 1


@torch.jit.unused
def unused(x):
    return x + 2


print(fused_gelu(torch.tensor([1.0, -2.0])), scaled(torch.ones(2)), scaled(torch.ones(2), n=3), ignored(1), unused(1))
print(torch.jit.is_scripting(), torch.jit.is_tracing(), torch.jit.export(ignored) is ignored, fused_gelu.name)
print(torch.jit.annotate(int, 3), torch.jit.isinstance(3, int))
x = torch.tensor([0.5], requires_grad=True)
fused_gelu(x).sum().backward()
print(x.grad)


class Patches(nn.Module):
    scale: torch.jit.Final[int]

    def __init__(self, size, stride=None):
        super().__init__()
        self.size, self.scale = _pair(size), 2
        self.stride = _pair(stride if stride is not None else size)

    def forward(self, x):
        if not torch.jit.is_scripting():
            x = x * self.scale
        return nn.functional.max_pool2d(x, self.size, self.stride)

    @torch.jit.export
    def count(self):
        return self.scale


print(Patches(2)(torch.arange(16.0).reshape(1, 1, 4, 4)), Patches(2).count())
print(_single(3), _pair(3), _triple(3), _quadruple(3), _ntuple(5)(1), _pair([1, 2]), _pair("ab"), _pair.__name__)
print(_reverse_repeat_tuple((1, 2), 2), _pair(range(2)), _triple((1,)))

kinds = (numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral)
for value in (3, True, 2.5, 1j, "a", None, np.float32(1), np.int64(2), np.array(1), torch.tensor(1), [1]):
    print(type(value).__name__, [isinstance(value, kind) for kind in kinds])
print(issubclass(int, numbers.Integral), issubclass(float, numbers.Rational), issubclass(str, numbers.Number),
      issubclass(numbers.Integral, numbers.Real), isinstance(3, (str, numbers.Real)))


def resized(size):
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    return tuple(size)


print(resized(3), resized((1, 2)), numbers.Number, numbers.Integral.__mro__[1:-2])


class Money(numbers.Number):
    pass


print(isinstance(Money(), numbers.Number), isinstance(Money(), numbers.Real))

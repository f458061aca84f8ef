# tolerance: 1e-5
"""Two elementwise operators that become one loop.

Eagerly, relu writes a tensor that sigmoid reads back. Compiled, one kernel loads each element once
and stores the result once: `glint show examples/fused.py f` shows the loop.
"""
import torch


def f(x):
    return torch.sigmoid(torch.relu(x))


compiled = torch.compile(f)

torch.manual_seed(1)
x = torch.randn(4, 8)
print(compiled(x))
print("same as eager:", torch.allclose(compiled(x), f(x)))

# Any shape: a scalar, an empty tensor, one that is not contiguous.
print(compiled(torch.tensor(-3.0)), compiled(torch.empty(0, 3)).shape)
print(torch.allclose(compiled(x.t()), f(x).t()))

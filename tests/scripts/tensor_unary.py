# tolerance: 1e-5
# Elementwise functions over ordinary and special values.
import torch

x = torch.tensor([-2.0, -0.5, 0.0, 0.5, 1.0, 3.0])
for name in ["abs", "neg", "sign", "exp", "exp2", "expm1", "sin", "cos", "tan", "tanh", "sinh", "cosh", "sigmoid", "relu", "erf", "floor", "ceil", "round", "trunc", "square", "reciprocal", "atan"]:
    print(name, getattr(torch, name)(x))
positive = torch.tensor([0.1, 0.5, 1.0, 2.0, 10.0])
for name in ["log", "log2", "log10", "log1p", "sqrt", "rsqrt"]:
    print(name, getattr(torch, name)(positive), getattr(torch, name)(torch.tensor([0.0, -1.0])))
print(torch.asin(x.clamp(-1, 1)), torch.acos(x.clamp(-1, 1)), torch.atan2(x, torch.tensor(2.0)))
special = torch.tensor([float("inf"), -float("inf"), float("nan"), 0.0, -0.0])
for name in ["exp", "tanh", "sigmoid", "sqrt", "abs", "floor", "relu", "sin", "isnan", "isinf", "isfinite", "erf", "sign"]:
    print(name, getattr(torch, name)(special))
print(x.exp().log(), torch.sin(torch.tensor([1, 2])), torch.exp(torch.tensor(1.0, dtype=torch.float64)), torch.nn.functional.gelu(x), torch.nn.functional.gelu(x, approximate="tanh"), torch.nn.functional.silu(x), torch.nn.functional.leaky_relu(x), torch.nn.functional.softplus(x))
print(torch.round(torch.tensor([0.5, 1.5, 2.5, -0.5])), torch.exp(torch.tensor([88.0, 89.0, -104.0])), torch.abs(torch.tensor([-3, 2])), torch.exp(torch.tensor([1.0, 2.0], dtype=torch.bfloat16)))

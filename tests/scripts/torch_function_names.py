# torch.pow and torch.float_power take a tensor at least; operators that PyTorch has by no such name.
import torch
import torch.nn.functional as F


def attempt(run):
    try:
        print(run())
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)


for call in (lambda: torch.pow(2, 3), lambda: torch.pow(2.0, 3), lambda: torch.pow(True, 2.5),
             lambda: torch.pow(2, torch.tensor(3)), lambda: torch.pow(torch.tensor(2.0), 3),
             lambda: torch.float_power(2, 3), lambda: torch.float_power(2, torch.tensor(3))):
    attempt(call)
for name in ("add_", "mul_", "tril_", "masked_fill_", "sign_", "cumsum_", "absolute_", "exp_", "clip_"):
    print(name, hasattr(torch, name), hasattr(torch.Tensor, name))
for name in ("silu_", "mish_", "relu6_", "hardswish_", "sigmoid_", "dropout_", "relu_", "celu_",
             "weighted_bce_with_logits"):
    print(name, hasattr(F, name))
for name in ("__iadd__", "__ieq__", "__ineg__", "__iabs__", "__ilt__", "__irshift__", "__round__",
             "isin", "names"):
    print(name, hasattr(torch.Tensor, name))
attempt(lambda: round(torch.tensor(1.5)))
x = torch.tensor([-4.0, -1.0, 0.5, 7.0])
for function in (F.silu, F.mish, F.relu6, F.hardswish, F.hardsigmoid):
    y = x.clone()
    print(function(y, inplace=True) is y, y)
print(F.dropout(x.clone(), 1.0, True, True))

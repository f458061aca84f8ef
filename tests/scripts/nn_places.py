# Buffers and modules by their paths, and what parameter dicts do as dicts.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
print(net.get_buffer("1.running_mean"), net.get_parameter("0.bias").shape, net.get_submodule("1"))


def fails(call):
    try:
        print(call())
    except (AttributeError, ValueError, KeyError) as error:
        print(type(error).__name__, error)


fails(lambda: net.get_buffer("0.weight"))
fails(lambda: net.get_buffer("5.x"))
fails(lambda: net.get_buffer("1.nope"))
fails(lambda: net.set_submodule("", nn.ReLU()))
fails(lambda: net.set_submodule("0.q.r", nn.ReLU()))
fails(lambda: net.set_submodule("1", nn.ReLU()))
fails(lambda: net.set_submodule("7", nn.ReLU(), strict=True))
outer = nn.ModuleDict({"body": net})
outer.set_submodule("body.0", nn.Linear(1, 2))
print(outer, outer.state_dict().keys())

table = nn.ParameterDict({"a": nn.Parameter(torch.ones(1)), "b": torch.zeros(2)})
print(table.get("a"), table.get("q"), table.get("q", 3), table.pop("b"), list(table.keys()))
print(table.setdefault("c", nn.Parameter(torch.ones(2))), table.setdefault("a").shape, table.copy())
copied = table.copy()
table.clear()
print(len(table), table, list(copied), list(nn.Module.named_parameters(copied))[0][0])
modules = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
modules.clear()
modules["a"] = nn.Tanh()
print(modules)
fails(lambda: modules.pop("z"))

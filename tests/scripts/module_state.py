# What a module's class and its hooks change of `state_dict` and `load_state_dict`.
from collections import OrderedDict

import torch
from torch import nn

net = nn.Sequential(OrderedDict(a=nn.Linear(2, 1), b=nn.BatchNorm1d(1)))
missing, unexpected = net.load_state_dict({"a.weight": torch.ones(1, 2), "c.x": torch.ones(1), "z": torch.ones(1)},
                                          strict=False)
print(missing, unexpected)
result = net.load_state_dict(net.state_dict())
print(result, str(result), len(result), result == ([], []), type(result).__name__)
print(net.load_state_dict({}, strict=False))


def fails(call):
    try:
        print(call())
    except (RuntimeError, TypeError, AssertionError) as error:
        print(type(error).__name__, error)


fails(lambda: net.load_state_dict({"b.q": torch.ones(1), "a.weight": torch.ones(2, 2), "y": torch.ones(1),
                                   "a.bias": 3, "a.extra": torch.ones(1)}))
fails(lambda: net.load_state_dict([1]))


class Renamed(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))
        self.count = 5

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        if prefix + "gamma" in state_dict:
            state_dict[prefix + "scale"] = state_dict.pop(prefix + "gamma")
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                      error_msgs)

    def get_extra_state(self):
        return {"count": self.count}

    def set_extra_state(self, state):
        self.count = state["count"]


outer = nn.ModuleDict({"old": Renamed()})
print(outer.state_dict())
print(outer.load_state_dict({"old.gamma": torch.tensor([3.0, 4.0]), "old._extra_state": {"count": 9}}))
print(outer["old"].scale, outer["old"].count)
fails(lambda: outer.load_state_dict({"old.gamma": torch.ones(2)}))
fails(lambda: nn.Linear(1, 1).load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1),
                                               "_extra_state": 1}))


def strip(module, state_dict, prefix, *rest):
    for key in list(state_dict):
        state_dict[key.replace("module.", "")] = state_dict.pop(key)


layer = nn.Linear(1, 1)
handle = layer.register_load_state_dict_pre_hook(strip)
saved = {"module.weight": torch.tensor([[2.0]]), "module.bias": torch.tensor([1.0])}
print(layer.load_state_dict(saved), layer.weight, list(saved))
handle.remove()
fails(lambda: layer.load_state_dict(saved))
layer._register_load_state_dict_pre_hook(lambda state, prefix, *rest: print("before", repr(prefix), len(rest)))
layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
print(layer.load_state_dict({"weight": torch.ones(1, 1)}))
layer.register_state_dict_pre_hook(lambda module, prefix, keep_vars: print("saving", repr(prefix), keep_vars))
def drop(module, state, prefix, metadata):
    del state[prefix + "bias"]


layer.register_state_dict_post_hook(drop)
handle = layer.register_state_dict_post_hook(lambda module, state, prefix, metadata: state)
fails(layer.state_dict)
handle.remove()
print(nn.Sequential(layer).state_dict(keep_vars=True))
layer._register_state_dict_hook(lambda module, state, prefix, metadata: {"all": len(state)})
print(layer.state_dict())

halves = nn.Linear(1, 1)
weight = torch.ones(1, 1, dtype=torch.float64)
print(halves.load_state_dict({"weight": weight, "bias": halves.bias}, assign=True), halves.weight,
      halves.weight.data_ptr() == weight.data_ptr(), type(halves.weight).__name__)
step = nn.Module()
step.register_buffer("n", torch.tensor(0))
print(step.load_state_dict({"n": torch.tensor([7])}), step.n)

# Hooks that get the arguments by name.
net = nn.Identity()
net.forward = lambda x, scale=1.0: x * scale
first = net.register_forward_pre_hook(lambda m, args, kwargs: (args, {**kwargs, "scale": 3.0}), with_kwargs=True)
net.register_forward_hook(lambda m, args, kwargs, out: print(args, kwargs, out), with_kwargs=True)
net.register_forward_hook(lambda m, args, out: out + 1, prepend=True)
print(net(torch.ones(1), scale=2.0))
first.remove()
print(net(torch.ones(1), scale=2.0))
net.register_forward_pre_hook(lambda m, args, kwargs: args, with_kwargs=True)
fails(lambda: net(torch.ones(1)))

modules = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
print(modules.pop("a"), list(modules), modules.clear(), len(modules))

# Hooks of modules: registered, removed, copied, and put into a module's own dicts.
import copy
import torch


class AddOne(torch.nn.Module):
    def forward(self, x):
        return x + 1


x = torch.ones(2)
module = AddOne()
handle = module.register_forward_hook(lambda module, arguments, result: result * 10)
print(module(x))
copied = copy.deepcopy(module)
handle.remove()
print(module(x), copied(x))
handle.remove()
print(len(copy.deepcopy(module)._forward_hooks), len(copied._forward_hooks))

module._forward_hooks["own"] = lambda module, arguments, result: result * 100
print(module(x))
module._forward_pre_hooks["own"] = lambda module, arguments: (arguments[0] * 2,)
print(module(x))
del module._forward_hooks["own"]
print(module(x))
module._forward_pre_hooks.clear()
print(module(x), module._forward_hooks)

pair = torch.nn.Sequential(AddOne(), AddOne())
before = pair[0].register_forward_pre_hook(lambda module, arguments: print("before"))
behind = pair.register_forward_hook(lambda module, arguments, result: print("behind"))
pair(x)
before.remove()
pair(x)
behind.remove()
print(pair(x))

compiled = torch.compile(module)
print(compiled(x))
module._forward_hooks["own"] = lambda module, arguments, result: result - 1
print(compiled(x))
module._forward_hooks.clear()
print(compiled(x))
handle = module.register_forward_hook(lambda module, arguments, result: result * 3)
print(compiled(x))
handle.remove()
print(compiled(x))

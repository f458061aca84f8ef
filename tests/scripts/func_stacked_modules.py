# tolerance: 1e-5
# Several models of one class run as one: `stack_module_state` with `functional_call` and `vmap`.
import copy

import torch
from torch import nn
from torch.func import functional_call, grad, stack_module_state, vmap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 2)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, x):
        return self.last(torch.relu(self.first(x))) * self.scale


torch.manual_seed(0)
models = [Net() for _ in range(3)]
x = torch.randn(5, 3)
params, buffers = stack_module_state(models)
print({name: (value.shape, value.requires_grad, value.is_leaf) for name, value in params.items()})
print({name: (value.shape, value.requires_grad) for name, value in buffers.items()})
base = copy.deepcopy(models[0])


def run(params, buffers, x):
    return functional_call(base, (params, buffers), (x,))


together = vmap(run, in_dims=(0, 0, None))(params, buffers, x)
print(together.shape, torch.allclose(together, torch.stack([model(x) for model in models]), atol=1e-6))
print(together[1])
batches = torch.stack([x, x + 1, x + 2])
print(vmap(run)(params, buffers, batches).sum(dim=(1, 2)))
together.sum().backward()
print(params["last.bias"].grad, params["first.weight"].grad.sum(dim=(1, 2)))


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


frozen = Net()
frozen.last.bias.requires_grad_(False)
attempt(lambda: stack_module_state([]))
attempt(lambda: stack_module_state([Net(), Net().eval()]))
attempt(lambda: stack_module_state([Net(), nn.Linear(2, 2)]))
attempt(lambda: stack_module_state([Net(), frozen]))

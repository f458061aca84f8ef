"""`torch.nn`: modules, the layers made of them, and `nn.functional`.

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    model(torch.randn(3, 4)).shape   # torch.Size([3, 2])
"""
from torch.nn import functional, init, utils
from torch.nn.parameter import Parameter
from torch.nn.modules import *
from torch.nn.modules import _seldom


def __getattr__(name):
    found = _seldom(name)
    if found is None:
        raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")
    globals()[name] = found
    return found

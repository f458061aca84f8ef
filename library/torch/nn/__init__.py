"""`torch.nn`: modules, the layers made of them, and `nn.functional`.

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    model(torch.randn(3, 4)).shape   # torch.Size([3, 2])
"""
import torch as _torch
from torch import _native
from torch.nn import functional, init, utils

_native.set_late_names(functional, functional._seldom)
from torch.nn.parameter import Buffer, Parameter
from torch.nn.modules import *
from torch.nn.modules import _seldom

for _module in (modules, modules.activation, modules.loss, modules.pooling, modules.sparse):
    _native.set_late_names(_module, _seldom)


def _seldom_name(name):
    """A class whose file is not read before it is asked for."""
    if name in ("parallel", "DataParallel"):
        import torch.nn.parallel
        return torch.nn.parallel if name == "parallel" else torch.nn.parallel.DataParallel
    if name == "attention":
        import torch.nn.attention
        return torch.nn.attention
    if name == "common_types":
        import torch.nn.common_types
        return torch.nn.common_types
    return _seldom(name)


_native.set_late_names(_torch.nn, _seldom_name)

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

for _module in (_torch.nn, modules, modules.activation, modules.loss, modules.pooling, modules.sparse):
    _native.set_late_names(_module, _seldom)

"""How PyTorch's own types are taken apart for a pickle (`copyreg`): as PyTorch does, so that files
go both ways.

Of a tensor that has a history its values are kept: as PyTorch's, it is a leaf when it is read.
"""
import copyreg
from collections import OrderedDict

import torch
from torch._tensor import _rebuild_from_type_v2
from torch._utils import (
    _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_tensor_v2)
from torch.storage import storage_of


def _of_tensor(tensor):
    parts = (storage_of(tensor), tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()),
             tensor.requires_grad, OrderedDict())
    if tensor.__dict__:
        return _rebuild_from_type_v2, (_rebuild_tensor_v2, torch.Tensor, parts, tensor.__dict__)
    return _rebuild_tensor_v2, parts


def of_complex(tensor):
    """Of a complex tensor or parameter; its attributes but for the pairs."""
    state = {name: value for name, value in tensor.__dict__.items() if name != "_pairs"}
    if isinstance(tensor, torch.nn.Parameter):
        parts = tensor.detach(), tensor.requires_grad, OrderedDict()
        return (_rebuild_parameter_with_state, (*parts, state)) if state else (_rebuild_parameter, parts)
    parts = (storage_of(tensor), tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()),
             tensor.requires_grad, OrderedDict())
    if state:
        return _rebuild_from_type_v2, (_rebuild_tensor_v2, torch.Tensor, parts, state)
    return _rebuild_tensor_v2, parts


def _of_parameter(parameter):
    parts = parameter.detach(), parameter.requires_grad, OrderedDict()
    if parameter.__dict__:
        return _rebuild_parameter_with_state, (*parts, parameter.__dict__)
    return _rebuild_parameter, parts


def _generator(device, state):
    return torch.Generator(device).set_state(state)


copyreg.pickle(torch.Tensor, _of_tensor)
copyreg.pickle(torch.nn.Parameter, _of_parameter)
copyreg.pickle(torch.Generator, lambda made: (_generator, (made.device, made.get_state())))
copyreg.pickle(torch.Size, lambda size: (torch.Size, (tuple(size),)))
copyreg.pickle(torch.device, lambda device: (torch.device, (str(device),)))
copyreg.pickle(torch.dtype, lambda dtype: str(dtype)[len("torch."):])

"""`Parameter` and `Buffer`: tensors that a module finds when they are assigned to its attributes.

    self.weight = Parameter(torch.zeros(3))       is trained
    self.mean = Buffer(torch.zeros(3))            is only kept, as by `register_buffer`
"""
import torch
from torch._native import Parameter


class Buffer:
    def __new__(cls, data=None, *, persistent=True):
        data = torch.empty(0) if data is None else data
        made = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made

    @classmethod
    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and getattr(value, "_is_buffer", False)


def clear_gradient(parameter, set_to_none):
    """What `zero_grad` does to each parameter."""
    if set_to_none or parameter.grad is None:
        parameter.grad = None
        return
    if parameter.grad.requires_grad:  # it was computed by a backward that may be differentiated
        if parameter.grad.grad_fn is not None:
            parameter.grad.detach_()
        else:
            parameter.grad.requires_grad_(False)
    parameter.grad.zero_()


class UninitializedParameter:
    """A parameter whose size a lazy module does not know yet."""

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        made = Parameter(torch.empty(0, device=device, dtype=dtype), requires_grad)
        made._is_lazy = True
        return made


class UninitializedBuffer:
    """The same of a buffer."""

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        made = torch.empty(0, device=device, dtype=dtype).requires_grad_(requires_grad)
        made._is_lazy = True
        return made


def is_lazy(tensor):
    return getattr(tensor, "_is_lazy", False)


def materialize(tensor, shape):
    """Gives a lazy parameter memory of that shape, for whoever holds it."""
    tensor.data = torch.empty(shape, dtype=tensor.dtype, device=tensor.device)
    del tensor._is_lazy

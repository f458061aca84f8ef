"""`Variable`, which a tensor was put into before tensors had gradients themselves.

    x = Variable(torch.ones(2), requires_grad=True)      the tensor, as a leaf of its own
    isinstance(x, Variable)                              every tensor is one
"""
import torch


class Variable:
    def __new__(cls, data=None, requires_grad=False, volatile=False):
        data = torch.empty(0) if data is None else data
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and not data.is_floating_point():
            raise RuntimeError("Only Tensors of floating point and complex dtype can require "
                               "gradients")
        made = data.detach()
        return made.requires_grad_() if requires_grad else made

    @classmethod
    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor)

"""`Parameter`: a tensor that a module finds when it is assigned to one of its attributes."""
from torch._native import Parameter


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

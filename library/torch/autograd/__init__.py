"""`torch.autograd`: gradients of what was computed, and the modes that record it or not."""
import torch
from torch import no_grad, enable_grad, set_grad_enabled, inference_mode
from torch._native import run_backward
from torch.autograd.anomaly_mode import (detect_anomaly, set_detect_anomaly, is_anomaly_enabled,
                                         is_anomaly_check_nan_enabled)
from torch.autograd.function import Function
from torch.autograd.gradcheck import gradcheck, gradgradcheck
from torch.autograd.variable import Variable
from torch.autograd import functional


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False,
             grad_variables=None, inputs=None):
    """Adds the gradients of `tensors` to `grad` of the leaves that they were computed from."""
    if grad_tensors is None:
        grad_tensors = grad_variables
    inputs = _as_tuple(inputs)
    if inputs is not None and len(inputs) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    run_backward(_as_tuple(tensors), _as_tuple(grad_tensors), inputs, retain_graph, create_graph,
                 True, True)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,
         allow_unused=None, is_grads_batched=False, materialize_grads=False):
    """The gradients of `outputs` for `inputs`, as a tuple; nothing is added to any `grad`."""
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched=True is not available: call grad once for each")
    if not only_inputs:
        raise NotImplementedError("only_inputs=False is not available: use backward for what is summed up in grad")
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, "
                         "but got: allow_unused=False.")
    if allow_unused is None:
        allow_unused = materialize_grads
    inputs = _as_tuple(inputs)
    if len(inputs) == 0:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    for each in inputs:
        if not isinstance(each, torch.Tensor):
            raise RuntimeError("all inputs have to be Tensors or GradientEdges, but got "
                               + type(each).__name__)
    gradients = run_backward(_as_tuple(outputs), _as_tuple(grad_outputs), inputs, retain_graph,
                             create_graph, allow_unused, False)
    if materialize_grads:
        gradients = tuple(torch.zeros_like(x) if g is None else g
                          for g, x in zip(gradients, inputs))
    return gradients


def _as_tuple(tensors):
    if tensors is None or isinstance(tensors, tuple):
        return tensors
    return (tensors,) if isinstance(tensors, torch.Tensor) else tuple(tensors)

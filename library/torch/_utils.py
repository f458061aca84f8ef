"""The functions by which pickles make tensors again: PyTorch's names, which its files hold."""
import _storage

import torch
from torch.storage import TypedStorage


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    if metadata:
        raise NotImplementedError(f"a tensor is marked as {', '.join(metadata)}, which is not there yet")
    if not isinstance(storage, TypedStorage):
        raise TypeError(f"a tensor's memory is a storage, not a '{type(storage).__name__}'")
    if storage.pairs:
        stride = (*[2 * each for each in stride], 1)
        pairs = _storage.placed(storage.flat, 2 * storage_offset, (*size, 2), stride)
        return torch.view_as_complex(pairs).requires_grad_(requires_grad)
    return _storage.placed(storage.flat, storage_offset, size, stride).requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    return torch.nn.Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    return _with_attributes(torch.nn.Parameter(data, requires_grad), state)


def _with_attributes(tensor, state):
    if not isinstance(state, dict):
        raise TypeError(f"the attributes of a tensor are a dict, not a '{type(state).__name__}'")
    tensor.__dict__.update(state)
    return tensor

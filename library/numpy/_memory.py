"""New tensors in the processor's memory, wherever PyTorch's default device is.

    _memory.zeros((2, 3), dtype=torch.float64)
"""
import torch


def _on_processor(name):
    function = getattr(torch, name)

    def make(*args, **kwargs):
        return function(*args, device="cpu", **kwargs)

    return make


tensor, zeros, ones, empty, full, arange, eye = [
    _on_processor(name) for name in ("tensor", "zeros", "ones", "empty", "full", "arange", "eye")]

"""New tensors in the processor's memory, wherever PyTorch's default device is.

    _memory.zeros((2, 3), dtype=torch.float64)
"""
import torch


def tensor(data, dtype=None):
    return torch.tensor(data, dtype=dtype, device="cpu")


def zeros(size, dtype=None):
    return torch.zeros(size, dtype=dtype, device="cpu")


def ones(size, dtype=None):
    return torch.ones(size, dtype=dtype, device="cpu")


def empty(size, dtype=None):
    return torch.empty(size, dtype=dtype, device="cpu")


def full(size, value, dtype=None):
    return torch.full(size, value, dtype=dtype, device="cpu")


def arange(*bounds, dtype=None):
    return torch.arange(*bounds, dtype=dtype, device="cpu")


def eye(*sizes, dtype=None):
    return torch.eye(*sizes, dtype=dtype, device="cpu")

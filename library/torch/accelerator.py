"""`torch.accelerator`: the GPU, by what all kinds of devices have in common.

    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
"""
import torch
from torch.cuda import (current_stream, device_count, empty_cache, get_device_capability,
                        max_memory_allocated, max_memory_reserved, memory_allocated, memory_reserved,
                        memory_stats, reset_peak_memory_stats, set_stream, synchronize)


def is_available():
    return torch.cuda.is_available()


def current_accelerator(check_available=False):
    """The kind of device that this was built for: `cuda`, whether or not there is one."""
    if check_available and not is_available():
        return None
    return torch.device("cuda")


def current_device_index():
    return torch.cuda.current_device()


def set_device_index(device):
    torch.cuda.set_device(device)


current_device_idx, set_device_idx = current_device_index, set_device_index


class device_index(torch.cuda.device):
    """That device, for a `with` block; None is the one there is."""

    def __init__(self, device):
        self._is_given = device is not None
        super().__init__(device)

    def __enter__(self):
        if self._is_given:
            super().__enter__()

    def __exit__(self, *error):
        if self._is_given:
            super().__exit__(*error)


def get_memory_info(device_index=None):
    """The bytes that are free, and all there are."""
    return torch.cuda.mem_get_info(device_index)

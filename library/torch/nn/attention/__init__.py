"""`torch.nn.attention`: which of PyTorch's kernels may compute attention.

    with sdpa_kernel(SDPBackend.MATH):
        F.scaled_dot_product_attention(q, k, v)

Attention has one form here, so that a choice changes no number. It is kept, shown by
`torch.backends.cuda`, and where it leaves no kernel that PyTorch has for the case, attention raises.
"""
import contextlib
import enum
import sys

from torch import _native
from torch.nn._attention import _allowed


class SDPBackend(enum.Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self):
        return self.value

    __index__ = __int__


_BACKENDS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION,
             "mem_efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH,
             "overrideable": SDPBackend.OVERRIDEABLE}


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Allows these backends alone for a while; their order has no meaning here."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend "
                             f"instances, got {type(backends).__name__}")
    backends = [backends] if isinstance(backends, SDPBackend) else backends
    before = dict(_allowed)
    try:
        for name, backend in _BACKENDS.items():
            _allowed[name] = backend in backends
        yield {}
    finally:
        _allowed.update(before)


def _seldom_name(name):
    if name == "bias":
        import torch.nn.attention.bias
        return torch.nn.attention.bias
    return None


_native.set_late_names(sys.modules["torch.nn.attention"], _seldom_name)

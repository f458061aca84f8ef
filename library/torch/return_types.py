"""The classes of what operators return in several parts, by the operators' names.

    torch.return_types.max((values, indices))
"""
import sys

from torch import _native

_native.set_late_names(sys.modules[__name__], _native.return_type)

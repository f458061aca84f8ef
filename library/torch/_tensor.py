"""The name by which pickles make a tensor that has attributes of its own."""
from torch._utils import _with_attributes


def _rebuild_from_type_v2(func, new_type, args, state):
    return _with_attributes(func(*args), state)

"""What is left of `torch.jit` where functions run as they are written: the decorators, and what they ask.

    @torch.jit.script
    def fused_gelu(x): ...              runs as `fused_gelu` does, with PyTorch's warning that this is deprecated
    torch.jit.is_scripting()            False

There is no other language to compile to: `torch.compile` compiles. A module is not scripted, since PyTorch's
is a module of another class then, and nothing is traced, since a trace forgets what a script decides.
"""
import builtins
import functools
import warnings
from typing import Final

import torch


class ScriptFunction:
    """A function with PyTorch's `name`; there is no `graph` and no `code`."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.name = function.__name__

    def __call__(self, *args, **kwargs):
        return self.__wrapped__(*args, **kwargs)


def script(obj, optimize=None, example_inputs=None):
    warnings.warn("`torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.",
                  FutureWarning)
    if builtins.isinstance(obj, (torch.nn.Module, type)) or not callable(obj):
        raise NotImplementedError("torch.jit.script takes functions here, use `torch.compile`")
    return ScriptFunction(obj)


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


def unused(fn):
    return fn


def export(fn):
    return fn


def is_scripting():
    return False


def is_tracing():
    return False


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):
    return builtins.isinstance(obj, target_type)

"""A module under `torch.compile`: the module itself, with a compiled call.

    compiled = torch.compile(model)
    compiled(x)                     runs compiled code
    compiled.weight, compiled.k = 3, compiled.train()      are the model's
    compiled.state_dict()           has the model's names behind `_orig_mod.`
"""
import copy

import torch


_OWN = ("_orig_mod", "_compile", "_compiled_call", "_parameters", "_buffers", "_modules", "_transient",
        "_hooked")


class OptimizedModule(torch.nn.Module):
    def __init__(self, mod, compile):
        """`compile(mod)` gives the compiled call: a copy compiles what it is a copy of."""
        super().__init__()
        del self.__dict__["training"]
        self._orig_mod = mod
        self._compile = compile
        self._compiled_call = compile(mod)

    # Hooks stay behind, as in PyTorch.
    def __copy__(self):
        return OptimizedModule(self._orig_mod, self._compile)

    def __deepcopy__(self, memo):
        return OptimizedModule(copy.deepcopy(self._orig_mod, memo), self._compile)

    def __call__(self, *args, **kwargs):
        if self._hooked:
            return self._call_with_hooks(args, kwargs)
        return self._compiled_call(*args, **kwargs)

    def forward(self, *args, **kwargs):
        return self._compiled_call(*args, **kwargs)

    def __getattr__(self, name):
        if name == "_orig_mod":
            raise AttributeError(name)
        return getattr(self._orig_mod, name)

    def __dir__(self):
        return list({*dir(self._orig_mod), *dir(type(self)), *self.__dict__, "_orig_mod"})

    def __setattr__(self, name, value):
        if name in _OWN:
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name):
        if name in _OWN:
            super().__delattr__(name)
        else:
            delattr(self._orig_mod, name)

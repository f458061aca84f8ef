"""The state of a module: `state_dict`, `load_state_dict`, and what a module's own class or hooks change of both.

    class Old(nn.Module):
        def _load_from_state_dict(self, state_dict, prefix, *rest):
            state_dict[prefix + "scale"] = state_dict.pop(prefix + "gamma")
            super()._load_from_state_dict(state_dict, prefix, *rest)

Each module writes and reads what is its own, under a prefix, and then lets its children do so. A class may
keep more than tensors by `get_extra_state` and `set_extra_state`. Everything here is a method of `Module`,
which takes it from this file. States have no `_metadata`: a `_load_from_state_dict` gets an empty dict for it.
"""
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

import torch
from torch._hooks import RemovableHandle
from torch.nn.parameter import Parameter, is_lazy, materialize

_EXTRA = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class _StateHooks:
    """What runs before and behind a module's part of a state, by their handles."""

    def __init__(self):
        self.before_saving, self.behind_saving = OrderedDict(), OrderedDict()
        self.before_loading, self.behind_loading = OrderedDict(), OrderedDict()


_NO_HOOKS = _StateHooks()


def _hooks_of(module):
    return module.__dict__.get("_state_hooks", _NO_HOOKS)


def _own_hooks(module):
    return module.__dict__.setdefault("_state_hooks", _StateHooks())


def register_state_dict_pre_hook(self, hook):
    return RemovableHandle(_own_hooks(self).before_saving, hook)


def register_state_dict_post_hook(self, hook):
    def run(module, state, prefix, metadata):
        if hook(module, state, prefix, metadata) is not None:
            raise RuntimeError("state_dict post-hook must return None")

    return RemovableHandle(_own_hooks(self).behind_saving, run)


def _register_state_dict_hook(self, hook):
    return RemovableHandle(_own_hooks(self).behind_saving, hook)


def register_load_state_dict_pre_hook(self, hook):
    return RemovableHandle(_own_hooks(self).before_loading, lambda *arguments: hook(self, *arguments))


def _register_load_state_dict_pre_hook(self, hook, with_module=False):
    if with_module:
        return register_load_state_dict_pre_hook(self, hook)
    return RemovableHandle(_own_hooks(self).before_loading, hook)


def register_load_state_dict_post_hook(self, hook):
    return RemovableHandle(_own_hooks(self).behind_loading, hook)


def _has_extra_state(module, method):
    return getattr(type(module), method) is not getattr(torch.nn.Module, method)


def get_extra_state(self):
    raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")


def set_extra_state(self, state):
    raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")


def _save_to_state_dict(self, destination, prefix, keep_vars):
    for name, parameter in self._parameters.items():
        if parameter is not None:
            destination[prefix + name] = parameter if keep_vars else parameter.detach()
    for name, buffer in self._buffers.items():
        if buffer is not None and name not in self._transient:
            destination[prefix + name] = buffer if keep_vars else buffer.detach()
    if _has_extra_state(self, "get_extra_state"):
        destination[prefix + _EXTRA] = self.get_extra_state()


def state_dict(self, *, destination=None, prefix="", keep_vars=False):
    if destination is None:
        destination = OrderedDict()
    hooks = _hooks_of(self)
    for hook in hooks.before_saving.values():
        hook(self, prefix, keep_vars)
    self._save_to_state_dict(destination, prefix, keep_vars)
    for name, module in self._modules.items():
        if module is not None:
            module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
    for hook in hooks.behind_saving.values():
        changed = hook(self, destination, prefix, {})
        if changed is not None:
            destination = changed
    return destination


def _may_lack(self, name):
    """Whether a state that is loaded may be without this parameter or buffer."""
    return False


def _put(module, name, target, value, assign):
    """One tensor of a state into its place; or it itself, with `assign`."""
    if not assign:
        target.copy_(value)
        return
    if isinstance(target, Parameter):
        if isinstance(value, Parameter):
            value.requires_grad_(target.requires_grad)
        else:
            value = Parameter(value, requires_grad=target.requires_grad)
    setattr(module, name, value)


def _load_own(module, name, target, key, value, assign, error_msgs):
    if not isinstance(value, torch.Tensor):
        error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                          f"object from checkpoint but received {type(value)}")
        return
    if is_lazy(target):
        materialize(target, value.shape)
    elif target.dim() == 0 and value.dim() == 1:
        value = value[0]
    if value.shape != target.shape:
        error_msgs.append(f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                          f"the shape in current model is {target.shape}.")
        return
    with torch.no_grad():
        _put(module, name, target, value, assign)


def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                          error_msgs):
    for hook in _hooks_of(self).before_loading.values():
        hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    own = {name: value for name, value in self._parameters.items() if value is not None}
    own.update({name: value for name, value in self._buffers.items()
                if value is not None and name not in self._transient})
    assign = local_metadata.get("assign_to_params_buffers", False)
    for name, target in own.items():
        key = prefix + name
        if key in state_dict:
            _load_own(self, name, target, key, state_dict[key], assign, error_msgs)
        elif strict and not self._may_lack(name):
            missing_keys.append(key)
    extra = prefix + _EXTRA
    if _has_extra_state(self, "set_extra_state"):
        if extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict:
            missing_keys.append(extra)
    elif strict and extra in state_dict:
        unexpected_keys.append(extra)
    if strict:
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                name, dot, _ = key[len(prefix):].partition(".")
                if name not in (self._modules if dot else own):
                    unexpected_keys.append(key)


def _load(module, state, prefix, assign, missing, unexpected, errors):
    """The module's own part, then its children's, each from what is under its prefix."""
    metadata = {"assign_to_params_buffers": True} if assign else {}
    module._load_from_state_dict(state, prefix, metadata, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            below = prefix + name + "."
            part = {key: value for key, value in state.items() if key.startswith(below)}
            _load(child, part, below, assign, missing, unexpected, errors)
    for hook in _hooks_of(module).behind_loading.values():
        changed = hook(module, _IncompatibleKeys(missing, unexpected))
        assert changed is None, (
            "Hooks registered with ``register_load_state_dict_post_hook`` are notexpected to return new values, if "
            "incompatible_keys need to be modified,it should be done inplace.")


def load_state_dict(self, state_dict, strict=True, assign=False):
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, unexpected, errors = [], [], []
    _load(self, OrderedDict(state_dict), "", assign, missing, unexpected, errors)
    if strict:
        for what, keys in (("Unexpected", unexpected), ("Missing", missing)):
            if keys:
                named = ", ".join([f'"{key}"' for key in keys])
                errors.insert(0, f"{what} key(s) in state_dict: {named}. ")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                           + "\n\t".join(errors))
    return _IncompatibleKeys(missing, unexpected)

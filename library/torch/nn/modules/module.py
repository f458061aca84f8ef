"""`Module`: an object that owns parameters, buffers and other modules, and can be called.

Parameters, buffers and submodules are ordinary attributes; `_parameters`, `_buffers` and `_modules`
list their names in the order of assignment. Reading `self.weight` is therefore one plain attribute.
"""
from collections import OrderedDict

import torch
from torch._hooks import RemovableHandle
from torch.nn.modules import _state
from torch.nn.modules.boundary import Boundary
from torch.nn.parameter import Parameter, clear_gradient


def _convert_in_place(tensor, convert):
    """Who holds the tensor, an optimiser or another module, goes on with it."""
    values = tensor.data
    converted = convert(values)
    if converted is not values:
        tensor.data = converted


def _changed_arguments(changed, args, kwargs):
    """What a hook that gets all arguments makes of them."""
    if changed is None:
        return args, kwargs
    if not isinstance(changed, tuple) or len(changed) != 2:
        raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                           f"{changed}.")
    return changed


class Module:
    # A module whose hooks somebody asked for has a `_Hooks` of its own: a call looks at one thing.
    _hooked = None

    def __init__(self, *args, **kwargs):
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_modules"] = {}
        own["_transient"] = set()

    def __call__(self, *args, **kwargs):
        if self._hooked:
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def forward(self, *input):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function')

    def _call_with_hooks(self, args, kwargs):
        hooks = self._hooked
        for key, hook in list(hooks.before.items()):
            if key in hooks.with_kwargs:
                args, kwargs = _changed_arguments(hook(self, args, kwargs), args, kwargs)
                continue
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        boundary = None
        if hooks.full or hooks.full_before:
            boundary = Boundary(self, hooks)
            args = boundary.enter(args)
        result = self.forward(*args, **kwargs)
        for key, hook in list(hooks.behind.items()):
            named = (kwargs,) if key in hooks.with_kwargs else ()
            changed = hook(self, args, *named, result)
            if changed is not None:
                result = changed
        return result if boundary is None else boundary.leave(result)

    def _own_hooks(self):
        own = self.__dict__
        if "_hooked" not in own:
            own["_hooked"] = _Hooks()
        return own["_hooked"]

    @property
    def _forward_hooks(self):
        return self._own_hooks().behind

    @property
    def _forward_pre_hooks(self):
        return self._own_hooks().before

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        if always_call:
            raise NotImplementedError("always_call=True is not there: a hook runs where `forward` returns")
        return self._with_kwargs(_ModuleHandle(self, self._forward_hooks, hook, prepend), with_kwargs)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        return self._with_kwargs(_ModuleHandle(self, self._forward_pre_hooks, hook, prepend), with_kwargs)

    def _with_kwargs(self, handle, with_kwargs):
        if with_kwargs:
            self._hooked.with_kwargs.add(handle.id)
        return handle

    def register_full_backward_hook(self, hook, prepend=False):
        return _ModuleHandle(self, self._own_hooks().full, hook, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return _ModuleHandle(self, self._own_hooks().full_before, hook, prepend)

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, Parameter):
            self._need_init("parameters")
            own["_parameters"][name] = value
        elif isinstance(value, Module):
            self._need_init("module")
            own["_modules"][name] = value
        elif "_parameters" in own:
            if name in own["_parameters"]:
                if value is not None:
                    raise TypeError(f"cannot assign '{_type_name(value)}' as parameter '{name}' "
                                    "(torch.nn.Parameter or None expected)")
                own["_parameters"][name] = value
            elif name in own["_modules"]:
                if value is not None:
                    raise TypeError(f"cannot assign '{_type_name(value)}' as child module "
                                    f"'{name}' (torch.nn.Module or None expected)")
                own["_modules"][name] = value
            elif name in own["_buffers"]:
                if value is not None and not isinstance(value, torch.Tensor):
                    raise TypeError(f"cannot assign '{_type_name(value)}' as buffer '{name}' "
                                    "(torch.nn.Buffer, torch.Tensor or None expected)")
                own["_buffers"][name] = value
                if isinstance(value, torch.Tensor) and hasattr(value, "_is_buffer"):
                    self._set_persistent(name, value.persistent)
            elif isinstance(value, torch.Tensor) and hasattr(value, "_is_buffer"):
                own["_buffers"][name] = value
                self._set_persistent(name, value.persistent)
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        """What is not found as every attribute is: for the `super().__getattr__` of a wrapper."""
        own = self.__dict__
        for group in ("_parameters", "_buffers", "_modules"):
            if group in own and name in own[group]:
                return own[group][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _need_init(self, what):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")

    def __delattr__(self, name):
        for group in (self._parameters, self._buffers, self._modules):
            group.pop(name, None)
        object.__delattr__(self, name)

    def _check_new_name(self, what, name, registered):
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_type_name(name)}")
        if "." in name:
            found = f", got: {name}" if what == "module" else ""
            raise KeyError(f'{what} name can\'t contain "."{found}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if name not in registered and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        self._check_new_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_type_name(param)}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")
        self._parameters[name] = param
        object.__setattr__(self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        self._check_new_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            raise TypeError(f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' "
                            "(torch Tensor or None required)")
        self._buffers[name] = tensor
        self._set_persistent(name, persistent)
        object.__setattr__(self, name, tensor)

    def _set_persistent(self, name, persistent):
        (self._transient.discard if persistent else self._transient.add)(name)

    def add_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        self._check_new_name("module", name, self._modules)
        self._modules[name] = module
        object.__setattr__(self, name, module)

    register_module = add_module

    def _named(self, group, prefix, recurse, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(prefix=prefix) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in getattr(module, group).items():
                if value is None or (remove_duplicate and value in seen):
                    continue
                seen.add(value)
                yield (path + "." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        for _, parameter in self._named("_parameters", "", recurse):
            yield parameter

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, buffer in self._named("_buffers", "", recurse):
            yield buffer

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    def get_buffer(self, target):
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{type(owner).__name__} has no attribute `{name}`")
        if name not in owner._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return owner._buffers[name]

    def set_submodule(self, target, module, strict=False):
        """Puts a module into the place that its path names."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if strict and not hasattr(owner, name):
            raise AttributeError(f"{type(owner).__name__} has no attribute `{name}`")
        setattr(owner, name, module)

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            clear_gradient(parameter, set_to_none)

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, convert):
        for module in self.children():
            module._apply(convert)
        for parameter in self._parameters.values():
            if parameter is not None:
                _convert_in_place(parameter, convert)
                if parameter.grad is not None:
                    _convert_in_place(parameter.grad, convert)
        for name, buffer in list(self._buffers.items()):
            if buffer is not None:
                changed = convert(buffer)
                self._buffers[name] = changed
                object.__setattr__(self, name, changed)
        return self

    def to(self, *args, **kwargs):
        if "copy" in kwargs:
            raise RuntimeError(".to() does not accept copy argument")
        memory_format = kwargs.pop("memory_format", None)
        for dtype in (*args, *kwargs.values()):
            if isinstance(dtype, torch.dtype) and not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got "
                                f"desired dtype={dtype}")

        # Integers move, and stay integers.
        def convert(tensor):
            converted = tensor.to(*args, **kwargs)
            integer = not (tensor.is_floating_point() or tensor.is_complex())
            if integer and converted.dtype != tensor.dtype:
                converted = tensor.to(converted.device)
            if memory_format is not None and tensor.dim() in (4, 5):
                converted = converted.to(memory_format=memory_format)
            return converted

        return self._apply(convert)

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def compile(self, *args, **kwargs):
        compiled = torch.compile(self.forward, *args, **kwargs)
        object.__setattr__(self, "forward", compiled)
        object.__setattr__(self, "_compiled_call_impl", compiled)

    def __getstate__(self):
        """The attributes, as PyTorch has them: parameters, buffers and modules in their groups alone.
        A copy is not compiled: what this was compiled to is about this."""
        state = self.__dict__.copy()
        compiled = state.pop("_compiled_call_impl", None)
        if compiled is not None and state.get("forward") is compiled:
            del state["forward"]
        for group in (self._parameters, self._buffers, self._modules):
            for name in group:
                state.pop(name, None)
        state["_non_persistent_buffers_set"] = state.pop("_transient")
        return state

    def __setstate__(self, state):
        """Of a file that PyTorch wrote, without its hooks."""
        own = self.__dict__
        for name, value in state.items():
            if name not in _HOOKS_OF_PYTORCH:
                own[name] = value
        own["_transient"] = own.pop("_non_persistent_buffers_set", set())
        for group in ("_parameters", "_buffers", "_modules"):
            own[group] = dict(own[group])  # a copy's: what it is given is not the original's
            own.update(own[group])

    register_state_dict_pre_hook = _state.register_state_dict_pre_hook
    register_state_dict_post_hook = _state.register_state_dict_post_hook
    _register_state_dict_hook = _state._register_state_dict_hook
    register_load_state_dict_pre_hook = _state.register_load_state_dict_pre_hook
    _register_load_state_dict_pre_hook = _state._register_load_state_dict_pre_hook
    register_load_state_dict_post_hook = _state.register_load_state_dict_post_hook
    get_extra_state = _state.get_extra_state
    set_extra_state = _state.set_extra_state
    _save_to_state_dict = _state._save_to_state_dict
    state_dict = _state.state_dict
    _may_lack = _state._may_lack
    _load_from_state_dict = _state._load_from_state_dict
    load_state_dict = _state.load_state_dict

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = []
        for name, module in self._modules.items():
            text = repr(module).replace("\n", "\n  ")
            child_lines.append(f"({name}): {text}")
        lines = extra_lines + child_lines
        text = self._get_name() + "("
        if lines:
            if len(extra_lines) == 1 and not child_lines:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(lines) + "\n"
        return text + ")"


def _type_name(value):
    kind = type(value)
    if kind.__module__ == "builtins":
        return kind.__name__
    if kind is torch.Tensor:
        return "torch.FloatTensor"
    return f"{kind.__module__}.{kind.__name__}"


class _Hooks:
    """What runs before a module's `forward`, behind it, and in its backward, by their handles."""

    def __init__(self):
        self.before, self.behind = OrderedDict(), OrderedDict()
        self.full_before, self.full = OrderedDict(), OrderedDict()
        self.with_kwargs = set()  # the handles' numbers of those that get the arguments by name too

    def is_empty(self):
        return not (self.before or self.behind or self.full_before or self.full)


class _ModuleHandle(RemovableHandle):
    def __init__(self, module, hooks, hook, first=False):
        super().__init__(hooks, hook, first)
        self._module = module

    def remove(self):
        """The module's last hook takes its `_Hooks` along: then a call is `forward` again."""
        super().remove()
        own = self._module.__dict__
        left = own.get("_hooked")
        if left is not None and left.is_empty():
            del own["_hooked"]


_HOOKS_OF_PYTORCH = {
    "_backward_pre_hooks", "_backward_hooks", "_is_full_backward_hook", "_forward_hooks",
    "_forward_hooks_with_kwargs", "_forward_hooks_always_called", "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs", "_state_dict_hooks", "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"}

"""Parameters that are computed from others: `weight` becomes a property of the module's class.

    register_parametrization(linear, "weight", Symmetric())
    linear.weight                                   # Symmetric()(linear.parametrizations.weight.original)
    remove_parametrizations(linear, "weight")       # a parameter again, of the value it had

A module gets a class of its own for it, `ParametrizedLinear`, which goes with the last parametrization.
"""
from contextlib import contextmanager

import torch
from torch.nn.modules.container import ModuleDict, ModuleList
from torch.nn.parameter import Parameter

_cached = {}
_depth = 0


@contextmanager
def cached():
    """Inside, each tensor is computed once."""
    global _depth, _cached
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _cached = {}


def _register(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _keep_unless_unsafe(tensor, shape, dtype, found):
    """Complains of a parametrization whose tensor is another kind of tensor."""
    if not isinstance(found, torch.Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(found).__name__}.")
    if found.dtype != dtype:
        raise ValueError("Registering a parametrization may not change the dtype of the tensor, unless `unsafe` "
                         f"flag is enabled.\nunparametrized dtype: {dtype}\nparametrized dtype: {found.dtype}")
    if found.shape != shape:
        raise ValueError("Registering a parametrization may not change the shape of the tensor, unless `unsafe` "
                         f"flag is enabled.\nunparametrized shape: {shape}\nparametrized shape: {found.shape}")


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, in order, and what the first of them takes: `original`, or
    `original0`, `original1` ... where it takes several."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._taken_back(original)
        self.is_tensor = isinstance(new, torch.Tensor)
        if not self.is_tensor and not isinstance(new, (list, tuple)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                             f"{type(new).__name__}")
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if dtype != new.dtype:
                raise ValueError("When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                                 f"original.dtype: {dtype}\nright_inverse(original).dtype: {new.dtype}")
            original.data = new.data
            _register(self, "original", original)
        else:
            for i, each in enumerate(new):
                if isinstance(original, Parameter):
                    each = Parameter(each, original.requires_grad)
                _register(self, f"original{i}", each)
        if not unsafe:
            _keep_unless_unsafe(original, shape, dtype, self())

    @torch.no_grad()
    def _taken_back(self, value):
        for module in reversed(list(self)):
            if hasattr(module, "right_inverse"):
                try:
                    value = module.right_inverse(value)
                except NotImplementedError:
                    pass
        return value

    @torch.no_grad()
    def right_inverse(self, value):
        for module in reversed(list(self)):
            if not hasattr(module, "right_inverse"):
                raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
            value = module.right_inverse(value)
        if self.is_tensor:
            if not isinstance(value, torch.Tensor):
                raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
            if value.dtype != self.original.dtype:
                raise ValueError(f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` "
                                 f"has dtype {self.original.dtype}")
            self.original.data = value.data
            return
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}.")
        if len(value) != self.ntensors:
            raise ValueError(f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a "
                             f"sequence of length {len(value)}.")
        for i, each in enumerate(value):
            getattr(self, f"original{i}").data = each.data

    def forward(self):
        first, *others = list(self)
        if self.is_tensor:
            x = first(self.original)
        else:
            x = first(*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for module in others:
            x = module(x)
        return x


def _no_state(self):
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training")


def _deepcopy(self, memo):
    from copy import deepcopy
    if id(self) in memo:
        return memo[id(self)]
    made = type(self).__new__(type(self))
    memo[id(self)] = made
    made.__dict__.update(deepcopy(self.__dict__, memo))
    return made


def _give_own_class(module):
    kind = type(module)
    module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), {
        "__getstate__": _no_state, "__deepcopy__": _deepcopy, "__module__": "torch.nn.utils.parametrize"})


def _make_property(module, name):
    def computed(self):
        if _depth == 0:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cached:
            _cached[key] = self.parametrizations[name]()
        return _cached[key]

    def assigned(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(computed, assigned))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            before = getattr(module, tensor_name)
            _keep_unless_unsafe(before, before.shape, before.dtype, parametrization(before))
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        made = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_own_class(module)
            module.parametrizations = ModuleDict()
        _make_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with "
                         f"name '{tensor_name}'")
    return module


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with torch.no_grad():
                original.data = getattr(module, tensor_name).detach()
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
                         "terms of a sequence of tensors.")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)

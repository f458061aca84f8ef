"""Modules that hold modules."""
from collections import OrderedDict

from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class _Numbered(Module):
    """Modules in an order, under their numbers."""

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __delitem__(self, index):
        left, names = list(self._modules.values()), list(self._modules)
        del left[index if isinstance(index, slice) else _place(index, len(left))]
        for name in names:
            delattr(self, name)
        self.extend(left)

    def __iadd__(self, modules):
        return self.extend(modules)

    def _insert(self, index, module):
        for i in range(len(self), index, -1):
            self.add_module(str(i), self._modules[str(i - 1)])
        self.add_module(str(index), module)


class Sequential(_Numbered):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for index, module in enumerate(args):
                self.add_module(str(index), module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"Index out of range: {index}")
        self._insert(index + count if index < 0 else index, module)
        return self

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError("add operator supports only objects of Sequential class, but "
                             f"{str(type(other))} is given.")
        return Sequential().extend(self).extend(other)

    def __getitem__(self, index):
        items = list(self._modules.items())
        if isinstance(index, slice):
            return type(self)(dict(items[index]))
        return items[_place(index, len(items))][1]

    def __setitem__(self, index, module):
        self.add_module(list(self._modules)[_place(index, len(self))], module)


class ModuleList(_Numbered):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def insert(self, index, module):
        self._insert(index, module)

    def __add__(self, other):
        return ModuleList().extend(self).extend(other)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[str(_place(index, len(self)))]

    def __setitem__(self, index, module):
        self.add_module(str(_place(index, len(self))), module)

    def __repr__(self):
        if not len(self):
            return f"{self._get_name()}()"
        groups = []
        for index, module in enumerate(self):
            text = repr(module)
            if groups and groups[-1][2] == text:
                groups[-1][1] = index
            else:
                groups.append([index, index, text])
        lines = []
        for first, last, text in groups:
            name = str(first) if first == last else f"{first}-{last}"
            if first != last:
                text = f"{last - first + 1} x {text}"
            indented = text.replace("\n", "\n  ")
            lines.append(f"({name}): {indented}")
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules):
        items = modules.items() if isinstance(modules, dict) else modules
        for name, module in items:
            self.add_module(name, module)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        delattr(self, key)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        for key in list(self._modules):
            del self[key]

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        if values is not None:
            self.extend(values)

    def append(self, value):
        if not isinstance(value, Parameter):
            value = Parameter(value)
        self.register_parameter(str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        return self._parameters[str(_place(index, len(self)))]

    def extra_repr(self):
        return "\n".join([f"  ({index}): {_described(value, str(value.dtype))}"
                          for index, value in enumerate(self)])


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters):
        items = parameters
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            items = parameters.items()
        elif isinstance(parameters, dict):
            items = sorted(parameters.items(), key=lambda item: item[0])
        for name, value in items:
            self[name] = value

    def __getitem__(self, key):
        return self._parameters[key]

    def __setitem__(self, key, value):
        self.register_parameter(key, value if isinstance(value, Parameter) else Parameter(value))

    def __delitem__(self, key):
        delattr(self, key)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters)

    def __contains__(self, key):
        return key in self._parameters

    def get(self, key, default=None):
        return self._parameters.get(key, default)

    def setdefault(self, key, default=None):
        if key not in self._parameters:
            self[key] = default
        return self._parameters[key]

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def clear(self):
        for key in list(self._parameters):
            del self[key]

    def copy(self):
        return ParameterDict(OrderedDict(self.items()))

    def keys(self):
        return self._parameters.keys()

    def items(self):
        return self._parameters.items()

    def values(self):
        return self._parameters.values()

    def extra_repr(self):
        return "\n".join([f"  ({key}): {_described(value, value.type())}"
                          for key, value in self.items()])


def _described(parameter, kind):
    size = "x".join([str(n) for n in parameter.shape])
    return f"Parameter containing: [{kind} of size {size}]"


def _place(index, size):
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size

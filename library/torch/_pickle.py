"""What lies around the tensors of a checkpoint: a pickle of protocol 2, and their memory beside it.

    text, storages = write({"epoch": 3, "weight": x})
    read(text, storage_of)                     # the same again

`torch.save` writes it and `torch.load` reads it, as PyTorch does. With `weights_only=True` nothing that
a file names is run but what makes tensors, sizes and containers (`_ALLOWED`), and the classes that a
script has added; a file is not believed.
"""
import io
from collections import Counter, OrderedDict

import torch
from pickle import Pickler, Unpickler, UnpicklingError
from torch._tensor import _rebuild_from_type_v2
from torch._utils import (
    _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_tensor_v2)
from torch.storage import BY_DTYPE, KINDS, TypedStorage


class _Writer(Pickler):
    def __init__(self, file):
        super().__init__(file, 2)
        self.storages = {}  # by which memory it is: (number, flat tensor)

    def persistent_id(self, obj):
        if not isinstance(obj, TypedStorage):
            return None
        number, flat = self.storages.setdefault(obj.key, (str(len(self.storages)), obj.flat))
        return "storage", type(obj), number, str(flat.device), flat.numel() // (2 if obj.pairs else 1)


def write(value):
    """The text, and the flat tensors of its storages by their numbers."""
    file = io.BytesIO()
    writer = _Writer(file)
    writer.dump(value)
    return file.getvalue(), dict(writer.storages.values())


class _Reader(Unpickler):
    """`storage_of(dtype, number, location, count)` gives memory."""

    def __init__(self, data, storage_of):
        super().__init__(io.BytesIO(data))
        self._storage_of = storage_of

    def persistent_load(self, pid):
        kind, storage, number, location, count = pid
        if kind != "storage" or not _is_one_of(storage, KINDS):
            raise UnpicklingError(f"Only persistent_load of storage is allowed, but got {kind}")
        return storage(self._storage_of(storage.dtype, number, location, count))


class _CarefulReader(_Reader):
    """Makes what is allowed, and no attribute of it but of classes that a script has added."""

    def load(self):
        found = super().load()
        if callable(found) and not _is_added(found) and not _is_added(type(found)):
            raise UnpicklingError("the text ends without a value")
        return found

    def find_class(self, module_name, global_name):
        name = f"{module_name}.{global_name}"
        if name in _COMPLEX_DTYPES:
            return getattr(torch, global_name)
        found = _ALLOWED.get(name, _added.get(name))
        if found is None:
            raise UnpicklingError(_not_allowed(name))
        return found

    def _unknown(self, code):
        raise UnpicklingError(f"Unsupported operand {code[0]}")

    def _append(self, items):
        self._check_top(list)
        super()._append(items)

    def _set_items(self, pairs):
        self._check_top(dict, OrderedDict, Counter)
        super()._set_items(pairs)

    def _add_items(self, items):
        self._check_top(set)
        super()._add_items(items)

    def _check_top(self, *kinds):
        """What is filled has no methods of a script's own."""
        if type(self._top()) not in kinds:
            raise UnpicklingError(f"items of a '{type(self._top()).__name__}'")

    def _call(self, function, arguments):
        if not _is_one_of(function, _ALLOWED.values()) and not _is_added(function):
            raise UnpicklingError(f"cannot call a '{type(function).__name__}'")
        if not isinstance(arguments, tuple):
            raise UnpicklingError(f"cannot call with a '{type(arguments).__name__}'")
        super()._call(function, arguments)

    def _make(self, cls, arguments, keywords):
        if not _is_added(cls):
            raise UnpicklingError(f"cannot make a '{getattr(cls, '__name__', cls)}' without its constructor")
        super()._make(cls, arguments, keywords)

    def _build(self):
        """Attributes of a dict, such as the `_metadata` of a state dict, are not needed to read it."""
        if _is_added(type(self._stack[-2])):
            super()._build()
        else:
            self._pop()


def _is_one_of(value, values):
    return any(each is value for each in values)


def _not_allowed(name):
    return (
        "Weights only load failed. This file can still be loaded, to do so you have two options, "
        "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. \n\t(1) In PyTorch "
        "2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to "
        "`True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can "
        "result in arbitrary code execution. Do it only if you got the file from a trusted source.\n\t(2) "
        "Alternatively, to load with `weights_only=True` please check the recommended steps in the "
        f"following error message.\n\tWeightsUnpickler error: Unsupported global: GLOBAL {name} was not an "
        "allowed global by default. Please use `torch.serialization.add_safe_globals"
        f"([{name.removeprefix('builtins.')}])` or the `torch.serialization.safe_globals"
        f"([{name.removeprefix('builtins.')}])` context manager to allowlist this global if you trust this "
        "class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by "
        "default with weights_only https://pytorch.org/docs/stable/generated/torch.load.html.")


def _tensor_with_attributes(func, new_type, args, state):
    if func is not _rebuild_tensor_v2 or new_type is not torch.Tensor:
        raise UnpicklingError("a tensor of another type than torch.Tensor")
    return _rebuild_from_type_v2(func, new_type, args, state)


def _set(items):
    if not isinstance(items, list):
        raise UnpicklingError(f"a set of a '{type(items).__name__}'")
    return set(items)


def _size(items):
    if not isinstance(items, tuple):
        raise UnpicklingError(f"a size of a '{type(items).__name__}'")
    return torch.Size(items)


def _counter(counts):
    if type(counts) is not dict:
        raise UnpicklingError(f"a counter of a '{type(counts).__name__}'")
    return Counter(counts)


def _encoded(text, encoding):
    if encoding != "latin1":
        raise UnpicklingError(f"bytes in the encoding {encoding!r}")
    return text.encode("latin1")


# Each is given a tuple of its own arguments: what they are is theirs to ask.
_ALLOWED = {
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": _tensor_with_attributes, "torch.Tensor": torch.Tensor,
    "collections.OrderedDict": lambda: OrderedDict(), "collections.Counter": _counter,
    "__builtin__.set": _set, "builtins.set": _set, "_codecs.encode": _encoded, "torch.Size": _size,
    "torch.device": torch.device, "__builtin__.bytes": lambda: b""}
for _kind in KINDS:
    _ALLOWED[f"torch.{_kind.__name__}"] = _kind
for _dtype in BY_DTYPE:
    _ALLOWED[str(_dtype)] = _dtype
# Their module is read when one is there.
_COMPLEX_DTYPES = ("torch.complex32", "torch.complex64", "torch.complex128")

# What a script allows besides, by its name.
_added = {}


def _is_added(value):
    return _is_one_of(value, _added.values())


def add(found):
    _added.update({f"{each.__module__}.{each.__qualname__}": each for each in found})


def added():
    return list(_added.values())


def clear_added():
    _added.clear()


def read(data, storage_of, weights_only=True):
    if not weights_only:
        return _Reader(data, storage_of).load()
    try:
        return _CarefulReader(data, storage_of).load()
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, OverflowError, EOFError,
            NotImplementedError) as error:
        raise UnpicklingError(f"the text of the checkpoint is damaged: {error}")

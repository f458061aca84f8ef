"""What lies around the tensors of a checkpoint, in the subset of pickle that holds no code.

    text, storages = write({"epoch": 3, "weight": x})
    read(text, storage_of)                     # the same again

`torch.save` writes it and `torch.load` reads it, as PyTorch does with `weights_only=True`: numbers,
texts, lists, tuples, dicts and sets, and of PyTorch's things those that `_NAMES` lists. A pickle is a
program for a machine with a stack: a line of `_READERS` is an instruction of it. What names anything
else, or would run it, is refused.
"""
from collections import OrderedDict

import torch
import _storage
from _storage import bytes_of_float, float_of_bytes
from torch._typed_tensors import TYPES


class UnpicklingError(Exception):
    """The text of a checkpoint is broken, or names what a checkpoint may not hold."""


_STORAGES = {name.replace("Tensor", "Storage"): kind.dtype for name, kind in TYPES.items()}
_STORAGE_NAMES = {dtype: name for name, dtype in _STORAGES.items()}


class _Mark:
    """On the stack, where the items of a list, tuple or dict begin."""


_MARK = _Mark()


# ---- Writing -------------------------------------------------------------------------------------


class _Writer:
    """Puts instructions together that build a value again; what comes twice is built once."""

    def __init__(self):
        self.parts = [b"\x80\x02"]
        self.storages = {}  # by their key: (number, flat tensor)
        self._known = {}  # by id: (place in the memo, the object, which stays alive)

    def put(self, value):
        kind = type(value)
        if kind in _PLAIN:
            self.parts.append(_PLAIN[kind](value))
        elif id(value) in self._known:
            self._fetch(self._known[id(value)][0])
        elif kind in _WRITERS:
            _WRITERS[kind](self, value)
        else:
            raise TypeError(
                f"torch.save takes tensors, numbers, texts, and lists, tuples, dicts and sets of them, "
                f"not '{kind.__name__}'; of a module save `state_dict()`")

    def name(self, module, name):
        self.parts.append(f"c{module}\n{name}\n".encode("utf-8"))

    def call(self, module, name, arguments):
        """A call of what a name stands for, with a tuple."""
        self.name(module, name)
        self.put_tuple(arguments)
        self.parts.append(b"R")

    def keep(self, value):
        """What is on top of the stack is `value`, should it come again."""
        place = len(self._known)
        self._known[id(value)] = place, value
        code = b"q" + place.to_bytes(1, "little") if place < 256 else b"r" + place.to_bytes(4, "little")
        self.parts.append(code)

    def put_tuple(self, items):
        self.parts.append(b"(")
        for item in items:
            self.put(item)
        self.parts.append(b"t")

    def put_list(self, items):
        self.parts.append(b"]")
        self.keep(items)
        self.parts.append(b"(")
        for item in items:
            self.put(item)
        self.parts.append(b"e")

    def put_items(self, items):
        self.parts.append(b"(")
        for key, value in items.items():
            self.put(key)
            self.put(value)
        self.parts.append(b"u")

    def put_storage(self, tensor):
        key = _storage.key(tensor)
        if key not in self.storages:
            self.storages[key] = str(len(self.storages)), _storage.flat(tensor)
        number, flat = self.storages[key]
        self.parts.append(b"(")
        self.put("storage")
        self.name("torch", _STORAGE_NAMES[tensor.dtype])
        for value in (number, str(tensor.device), flat.numel()):
            self.put(value)
        self.parts.append(b"tQ")

    def _fetch(self, place):
        code = b"h" + place.to_bytes(1, "little") if place < 256 else b"j" + place.to_bytes(4, "little")
        self.parts.append(code)


def _int_code(number):
    if 0 <= number < 256:
        return b"K" + number.to_bytes(1, "little")
    if -2 ** 31 <= number < 2 ** 31:
        return b"J" + number.to_bytes(4, "little", signed=True)
    return b"\x8a\x08" + number.to_bytes(8, "little", signed=True)


def _text_code(text):
    data = text.encode("utf-8")
    return b"X" + len(data).to_bytes(4, "little") + data


def _put_tuple(writer, value):
    writer.put_tuple(value)
    writer.keep(value)


def _put_dict(writer, value):
    writer.parts.append(b"}")
    writer.keep(value)
    writer.put_items(value)


def _put_ordered_dict(writer, value):
    writer.call("collections", "OrderedDict", ())
    writer.keep(value)
    writer.put_items(value)


def _put_set(writer, value):
    writer.call("__builtin__", "set", (list(value),))
    writer.keep(value)


def _put_bytes(writer, value):
    writer.call("_codecs", "encode", (value.decode("latin1"), "latin1"))
    writer.keep(value)


def _put_tensor(writer, value):
    """Of a tensor that has a history, its values: as PyTorch's, it is a leaf when it is read."""
    writer.name("torch._utils", "_rebuild_tensor_v2")
    writer.parts.append(b"(")
    writer.put_storage(value)
    for part in (value.storage_offset(), tuple(value.shape), tuple(value.stride()),
                 value.requires_grad, OrderedDict()):
        writer.put(part)
    writer.parts.append(b"tR")
    writer.keep(value)


def _put_parameter(writer, value):
    writer.call("torch._utils", "_rebuild_parameter",
                (value.detach(), value.requires_grad, OrderedDict()))
    writer.keep(value)


_PLAIN = {
    type(None): lambda value: b"N", bool: lambda value: b"\x88" if value else b"\x89",
    int: _int_code, float: lambda value: b"G" + bytes_of_float(value), str: _text_code,
    torch.dtype: lambda value: f"ctorch\n{str(value)[6:]}\n".encode("utf-8")}
_WRITERS = {
    list: lambda writer, value: writer.put_list(value), tuple: _put_tuple, dict: _put_dict,
    OrderedDict: _put_ordered_dict, set: _put_set, bytes: _put_bytes,
    torch.Tensor: _put_tensor, torch.nn.Parameter: _put_parameter,
    torch.Size: lambda writer, value: writer.call("torch", "Size", (tuple(value),)),
    torch.device: lambda writer, value: writer.call("torch", "device", (str(value),))}


def write(value):
    """The text, and the flat tensors of its storages by their numbers."""
    writer = _Writer()
    writer.put(value)
    writer.parts.append(b".")
    return b"".join(writer.parts), dict(writer.storages.values())


# ---- Reading -------------------------------------------------------------------------------------


def _rebuild_tensor(flat, offset, size, stride, requires_grad, hooks, metadata=None):
    if metadata:
        raise UnpicklingError(f"a tensor is marked as {', '.join(metadata)}, which is not there yet")
    return _storage.placed(flat, offset, size, stride).requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, hooks):
    return torch.nn.Parameter(data, requires_grad)


def _set(items):
    if not isinstance(items, list):
        raise UnpicklingError(f"a set of a '{type(items).__name__}'")
    return set(items)


def _size(items):
    if not isinstance(items, tuple):
        raise UnpicklingError(f"a size of a '{type(items).__name__}'")
    return torch.Size(items)


def _encoded(text, encoding):
    if encoding != "latin1":
        raise UnpicklingError(f"bytes in the encoding {encoding!r}")
    return text.encode("latin1")


# Each is given a tuple of its own arguments: what they are is theirs to ask.
_NAMES = {
    "torch._utils _rebuild_tensor_v2": _rebuild_tensor,
    "torch._utils _rebuild_parameter": _rebuild_parameter,
    "collections OrderedDict": lambda: OrderedDict(),
    "__builtin__ set": _set, "builtins set": _set, "_codecs encode": _encoded, "torch Size": _size,
    "torch device": torch.device}
for _name, _dtype in _STORAGES.items():
    _NAMES["torch " + _name] = _NAMES["torch " + str(_dtype)[6:]] = _dtype


class _Reader:
    """Runs a pickle's instructions; `storage_of(dtype, number, location, count)` gives memory."""

    def __init__(self, data, storage_of):
        self.data = data
        self.place = 0
        self.stack = []
        self.memo = {}
        self.storage_of = storage_of

    def run(self):
        while True:
            code = self.take(1)
            if code == b".":
                return self.result()
            if code not in _READERS:
                raise UnpicklingError(f"Unsupported operand {code[0]}")
            _READERS[code](self)

    def result(self):
        found = self.stack.pop()
        if found is _MARK or callable(found):
            raise UnpicklingError("the text ends without a value")
        return found

    def take(self, size):
        start = self.place
        self.place += size
        if self.place > len(self.data):
            raise UnpicklingError("pickle data was truncated")
        return self.data[start:self.place]

    def number(self, size, signed=False):
        return int.from_bytes(self.take(size), "little", signed=signed)

    def line(self):
        end = self.data.find(b"\n", self.place)
        if end < 0:
            raise UnpicklingError("pickle data was truncated")
        found = self.take(end - self.place).decode("utf-8")
        self.place += 1
        return found

    def push(self, value):
        self.stack.append(value)

    def items(self):
        """What lies above the last mark."""
        start = len(self.stack) - 1
        while self.stack[start] is not _MARK:
            start -= 1
            if start < 0:
                raise UnpicklingError("unexpected MARK found")
        found = self.stack[start + 1:]
        del self.stack[start:]
        return found

    def append(self, items):
        if not isinstance(self.stack[-1], list):
            raise UnpicklingError(f"items of a '{type(self.stack[-1]).__name__}'")
        self.stack[-1].extend(items)

    def remember(self, place):
        self.memo[place] = self.stack[-1]

    def recall(self, place):
        self.push(self.memo[place])

    def push_name(self, module, name):
        full = f"{module} {name}"
        if full not in _NAMES:
            raise UnpicklingError(
                f"Unsupported global: GLOBAL {module}.{name} was not an allowed global: what is read "
                f"holds tensors of Glint's dtypes, numbers, texts, containers of them, and no code")
        self.push(_NAMES[full])

    def call(self):
        arguments = self.stack.pop()
        function = self.stack.pop()
        if not callable(function) or not isinstance(arguments, tuple):
            raise UnpicklingError(f"cannot call a '{type(function).__name__}' with a "
                                  f"'{type(arguments).__name__}'")
        self.push(function(*arguments))

    def push_storage(self):
        kind, dtype, number, location, count = self.stack.pop()
        if kind != "storage":
            raise UnpicklingError(f"Only persistent_load of storage is allowed, but got {kind}")
        self.push(self.storage_of(dtype, number, location, count))

    def set_items(self, pairs):
        if not isinstance(self.stack[-1], dict):
            raise UnpicklingError(f"items of a '{type(self.stack[-1]).__name__}'")
        for i in range(0, len(pairs), 2):
            self.stack[-1][pairs[i]] = pairs[i + 1]

    def drop_state(self):
        """A dict's attributes, such as the `_metadata` of a state dict: none is needed to read it."""
        self.stack.pop()


_READERS = {
    b"\x80": lambda r: r.take(1), b"\x95": lambda r: r.take(8),
    b"N": lambda r: r.push(None), b"\x88": lambda r: r.push(True), b"\x89": lambda r: r.push(False),
    b"K": lambda r: r.push(r.number(1)), b"M": lambda r: r.push(r.number(2)),
    b"J": lambda r: r.push(r.number(4, True)), b"\x8a": lambda r: r.push(r.number(r.number(1), True)),
    b"G": lambda r: r.push(float_of_bytes(r.take(8))),
    b"X": lambda r: r.push(r.take(r.number(4)).decode("utf-8")),
    b"\x8c": lambda r: r.push(r.take(r.number(1)).decode("utf-8")),
    b"B": lambda r: r.push(r.take(r.number(4))), b"C": lambda r: r.push(r.take(r.number(1))),
    b"]": lambda r: r.push([]), b"}": lambda r: r.push({}), b")": lambda r: r.push(()),
    b"(": lambda r: r.push(_MARK),
    b"t": lambda r: r.push(tuple(r.items())),
    b"\x85": lambda r: r.push((r.stack.pop(),)),
    b"\x86": lambda r: r.push(tuple(reversed([r.stack.pop(), r.stack.pop()]))),
    b"\x87": lambda r: r.push(tuple(reversed([r.stack.pop(), r.stack.pop(), r.stack.pop()]))),
    b"l": lambda r: r.push(r.items()),
    b"a": lambda r: r.append([r.stack.pop()]), b"e": lambda r: r.append(r.items()),
    b"s": lambda r: r.set_items([r.stack.pop(), r.stack.pop()][::-1]),
    b"u": lambda r: r.set_items(r.items()),
    b"q": lambda r: r.remember(r.number(1)), b"r": lambda r: r.remember(r.number(4)),
    b"\x94": lambda r: r.remember(len(r.memo)),
    b"h": lambda r: r.recall(r.number(1)), b"j": lambda r: r.recall(r.number(4)),
    b"c": lambda r: r.push_name(r.line(), r.line()),
    b"\x93": lambda r: r.push_name(*[r.stack.pop(), r.stack.pop()][::-1]),
    b"R": lambda r: r.call(), b"Q": lambda r: r.push_storage(), b"b": lambda r: r.drop_state()}


def read(data, storage_of):
    try:
        return _Reader(data, storage_of).run()
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UnpicklingError(f"the text of the checkpoint is damaged: {error}")

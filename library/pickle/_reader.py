"""Runs the instructions of a pickle: a machine with a stack and a memo.

    Unpickler(file).load()    # PROTO 4, EMPTY_LIST, MEMOIZE, MARK, BININT1 1, APPENDS, STOP: [1]

A line of `_INSTRUCTIONS` is an instruction. A pickle can call what it names: `find_class` says what
names stand for, and a reader that is to run nothing allows those that it knows.
"""
import copyreg
import sys

from _storage import float_of_bytes
from pickle._codes import *
from pickle._errors import UnpicklingError


class _Mark:
    """On the stack, where the items of a list, tuple or dict begin."""


_MARK = _Mark()


class Unpickler:
    def __init__(self, file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
        if not (hasattr(file, "read") and hasattr(file, "readline")):
            raise TypeError("file must have 'read' and 'readline' attributes")
        self._file = file
        self._fix_imports = fix_imports
        self._protocol = 0
        self._frame = b""
        self._place = 0  # in the frame
        self._memo = {}

    def load(self):
        self._stack = []
        while True:
            code = self._frame[self._place:self._place + 1]
            if code:
                self._place += 1
            else:
                code = self._file.read(1)
            if code == STOP:
                return self._pop()
            if not code:
                raise EOFError("Ran out of input")
            instruction = _INSTRUCTIONS.get(code)
            if instruction is None:
                self._unknown(code)
            instruction(self)

    def _unknown(self, code):
        shown = code.decode("latin1") if 32 <= code[0] < 127 else f"\\x{code[0]:02x}"
        raise UnpicklingError(f"invalid load key, '{shown}'.")

    def persistent_load(self, pid):
        raise UnpicklingError("A load persistent id instruction was encountered, but no "
                              "persistent_load function was specified.")

    def find_class(self, module_name, global_name):
        """The class or function of that name; what it is part of is imported."""
        if self._protocol < 3 and self._fix_imports:
            global_name = NEW_NAMES.get(module_name, {}).get(global_name, global_name)
            module_name = NEW_MODULES.get(module_name, module_name)
        __import__(module_name)
        found = sys.modules[module_name]
        for part in global_name.split("."):
            if not hasattr(found, part):
                raise AttributeError(f"Can't get attribute {global_name!r} on {sys.modules[module_name]!r}")
            found = getattr(found, part)
        return found

    # ---- The bytes ----

    def _take(self, size):
        found = self._frame[self._place:self._place + size]
        self._place += len(found)
        if not found:
            found = self._file.read(size)
        if len(found) < size:
            raise UnpicklingError("pickle data was truncated")
        return found

    def _start_frame(self):
        size = self._number(8)
        if self._place != len(self._frame):
            raise UnpicklingError("beginning of a new frame before end of current frame")
        self._frame, self._place = self._take(size), 0

    def _number(self, size, signed=False):
        return int.from_bytes(self._take(size), "little", signed=signed)

    def _line(self):
        if self._place == len(self._frame):
            found = self._file.readline()
        else:
            end = self._frame.find(b"\n", self._place) + 1
            found = self._frame[self._place:end]
            self._place = end
        if found[-1:] != b"\n":
            raise UnpicklingError("pickle data was truncated")
        return found[:-1].decode("utf-8")

    def _text(self, size):
        return self._take(size).decode("utf-8")

    def _set_protocol(self):
        self._protocol = self._number(1)
        if self._protocol > 5:
            raise ValueError(f"unsupported pickle protocol: {self._protocol}")

    # ---- The stack ----

    def _push(self, value):
        self._stack.append(value)

    def _pop(self):
        found = self._top()
        del self._stack[-1]
        return found

    def _top(self):
        if not self._stack:
            raise UnpicklingError("unpickling stack underflow")
        if self._stack[-1] is _MARK:
            raise UnpicklingError("unexpected MARK found")
        return self._stack[-1]

    def _popped(self, count):
        if len(self._stack) < count:
            raise UnpicklingError("unpickling stack underflow")
        found = tuple(self._stack[-count:])
        if any(each is _MARK for each in found):
            raise UnpicklingError("unexpected MARK found")
        del self._stack[-count:]
        return found

    def _items(self):
        """What lies above the last mark."""
        start = len(self._stack) - 1
        while start >= 0 and self._stack[start] is not _MARK:
            start -= 1
        if start < 0:
            raise UnpicklingError("could not find MARK")
        found = self._stack[start + 1:]
        del self._stack[start:]
        return found

    def _append(self, items):
        top = self._top()
        if hasattr(top, "extend"):
            top.extend(items)
        else:
            for item in items:
                top.append(item)

    def _set_items(self, pairs):
        top = self._top()
        for i in range(0, len(pairs), 2):
            top[pairs[i]] = pairs[i + 1]

    def _add_items(self, items):
        top = self._top()
        for item in items:
            top.add(item)

    def _remember(self, place):
        self._memo[place] = self._top()

    def _recall(self, place):
        if place not in self._memo:
            raise UnpicklingError(f"Memo value not found at index {place}")
        self._push(self._memo[place])

    def _call(self, function, arguments):
        self._push(function(*arguments))

    def _make(self, cls, arguments, keywords):
        self._push(cls.__new__(cls, *arguments, **keywords))

    def _build(self):
        state = self._pop()
        copyreg.set_state(self._top(), state)


def _dict_of(items):
    return {items[i]: items[i + 1] for i in range(0, len(items), 2)}


_INSTRUCTIONS = {
    PROTO: Unpickler._set_protocol, FRAME: Unpickler._start_frame,
    MARK: lambda r: r._push(_MARK), POP: lambda r: r._pop(), POP_MARK: lambda r: r._items(),
    NONE: lambda r: r._push(None), NEWTRUE: lambda r: r._push(True), NEWFALSE: lambda r: r._push(False),
    BININT1: lambda r: r._push(r._number(1)), BININT2: lambda r: r._push(r._number(2)),
    BININT: lambda r: r._push(r._number(4, True)), LONG1: lambda r: r._push(r._number(r._number(1), True)),
    LONG4: lambda r: r._push(r._number(r._number(4, True), True)),
    BINFLOAT: lambda r: r._push(float_of_bytes(r._take(8))),
    SHORT_BINUNICODE: lambda r: r._push(r._text(r._number(1))),
    BINUNICODE: lambda r: r._push(r._text(r._number(4))),
    SHORT_BINBYTES: lambda r: r._push(r._take(r._number(1))),
    BINBYTES: lambda r: r._push(r._take(r._number(4))),
    EMPTY_LIST: lambda r: r._push([]), LIST: lambda r: r._push(r._items()),
    APPEND: lambda r: r._append([r._pop()]), APPENDS: lambda r: r._append(r._items()),
    EMPTY_DICT: lambda r: r._push({}), DICT: lambda r: r._push(_dict_of(r._items())),
    SETITEM: lambda r: r._set_items(r._popped(2)), SETITEMS: lambda r: r._set_items(r._items()),
    EMPTY_TUPLE: lambda r: r._push(()), TUPLE: lambda r: r._push(tuple(r._items())),
    TUPLE1: lambda r: r._push(r._popped(1)), TUPLE2: lambda r: r._push(r._popped(2)),
    TUPLE3: lambda r: r._push(r._popped(3)),
    EMPTY_SET: lambda r: r._push(set()), ADDITEMS: lambda r: r._add_items(r._items()),
    FROZENSET: lambda r: r._push(frozenset(r._items())),
    GLOBAL: lambda r: r._push(r.find_class(r._line(), r._line())),
    STACK_GLOBAL: lambda r: r._push(r.find_class(*r._popped(2))),
    REDUCE: lambda r: r._call(*r._popped(2)), NEWOBJ: lambda r: r._make(*r._popped(2), {}),
    NEWOBJ_EX: lambda r: r._make(*r._popped(3)), BUILD: Unpickler._build,
    BINPERSID: lambda r: r._push(r.persistent_load(r._pop())),
    BINPUT: lambda r: r._remember(r._number(1)), LONG_BINPUT: lambda r: r._remember(r._number(4)),
    MEMOIZE: lambda r: r._memo.__setitem__(len(r._memo), r._top()),
    BINGET: lambda r: r._recall(r._number(1)), LONG_BINGET: lambda r: r._recall(r._number(4))}

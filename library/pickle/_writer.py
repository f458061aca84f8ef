"""Puts the instructions together that build a value again: those of CPython, most of them byte for byte.

    Pickler(file, 4).dump([1, "a"])    # PROTO 4, FRAME, EMPTY_LIST, MEMOIZE, MARK, ..., APPENDS, STOP

What comes twice is built once: the memo knows by its id what was written, and keeps it alive. A class
or a function is written as the name that it has in its module; any other object as `copyreg` takes it
apart. From protocol 4 on, instructions go in frames of about 64 KiB.
"""
import _codecs
import copyreg
import sys

from _storage import bytes_of_float
from pickle._codes import *
from pickle._errors import PicklingError

HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4
_OLDEST = 2
_FRAME_BYTES = 64 * 1024
_SMALLEST_FRAME = 4
_BATCH = 1000


class Pickler:
    def __init__(self, file, protocol=None, *, fix_imports=True, buffer_callback=None):
        if protocol is None:
            protocol = DEFAULT_PROTOCOL
        if protocol < 0:
            protocol = HIGHEST_PROTOCOL
        if protocol > HIGHEST_PROTOCOL:
            raise ValueError(f"pickle protocol must be <= {HIGHEST_PROTOCOL}")
        if protocol < _OLDEST:
            raise NotImplementedError(f"pickles of protocol {protocol} are not written here, those from "
                                      f"{_OLDEST} to {HIGHEST_PROTOCOL} are")
        if not hasattr(file, "write"):
            raise TypeError("file must have a 'write' attribute")
        self._file = file
        self._protocol = protocol
        self._old_names = fix_imports and protocol < 3
        self._parts = []  # of the frame that is being filled
        self._bytes = 0
        self._memo = {}  # by id: (place, the object)

    def clear_memo(self):
        self._memo.clear()

    def dump(self, obj):
        self._file.write(PROTO + bytes([self._protocol]))
        self._save(obj)
        self._put(STOP)
        self._end_frame()

    def persistent_id(self, obj):
        """What stands for an object that is kept somewhere else: not None."""
        return None

    def reducer_override(self, obj):
        """How an object is taken apart, where it is not as its class says."""
        return NotImplemented

    # ---- The bytes ----

    def _put(self, *parts):
        for part in parts:
            self._parts.append(part)
            self._bytes += len(part)

    def _end_frame(self):
        data = b"".join(self._parts)
        self._parts, self._bytes = [], 0
        if self._protocol >= 4 and len(data) >= _SMALLEST_FRAME:
            self._file.write(FRAME + len(data).to_bytes(8, "little"))
        self._file.write(data)

    def _put_large(self, code, data):
        """With as many bytes as a frame has, outside of frames."""
        if self._protocol >= 4 and len(data) >= _FRAME_BYTES:
            self._end_frame()
            self._file.write(code)
            self._file.write(data)
        else:
            self._put(code, data)

    def _memoize(self, value):
        place = len(self._memo)
        self._memo[id(value)] = place, value
        if self._protocol >= 4:
            self._put(MEMOIZE)
        else:
            self._put_place(BINPUT, LONG_BINPUT, place)

    def _put_place(self, short, long, place):
        self._put(short + bytes([place]) if place < 256 else long + place.to_bytes(4, "little"))

    def _recall(self, value):
        """Whether the memo has it: then what is written takes it from there."""
        found = self._memo.get(id(value))
        if found is not None:
            self._put_place(BINGET, LONG_BINGET, found[0])
        return found is not None

    # ---- The objects ----

    def _save(self, value):
        if self._protocol >= 4 and self._bytes >= _FRAME_BYTES:
            self._end_frame()
        name = self.persistent_id(value)
        if name is not None:
            self._save(name)
            self._put(BINPERSID)
            return
        kind = type(value)
        if kind in _ATOMS:
            self._put(_ATOMS[kind](value))
        elif not self._recall(value):
            writer = _WRITERS.get(kind)
            if writer is not None:
                writer(self, value)
            else:
                self._save_object(value)

    def _save_object(self, value):
        taken = self.reducer_override(value)
        table = getattr(self, "dispatch_table", {})
        if taken is not NotImplemented:
            self._save_reduction(value, taken)
        elif type(value) in table:
            self._save_reduction(value, table[type(value)](value))
        elif copyreg.has_name(value):
            self._save_global(value, value.__qualname__)
        else:
            self._save_reduction(value, copyreg.reduction(value, self._protocol))

    def _save_str(self, value):
        data = value.encode("utf-8")
        if self._protocol >= 4 and len(data) < 256:
            self._put(SHORT_BINUNICODE, bytes([len(data)]), data)
        else:
            self._put_large(BINUNICODE + len(data).to_bytes(4, "little"), data)
        self._memoize(value)

    def _save_bytes(self, value):
        if self._protocol < 3:
            call = (_codecs.encode, (value.decode("latin1"), "latin1")) if value else (bytes, ())
            return self._save_reduction(value, call)
        if len(value) < 256:
            self._put(SHORT_BINBYTES, bytes([len(value)]), value)
        else:
            self._put_large(BINBYTES + len(value).to_bytes(4, "little"), value)
        self._memoize(value)

    def _save_tuple(self, value):
        if not value:
            return self._put(EMPTY_TUPLE)
        short = len(value) <= 3
        if not short:
            self._put(MARK)
        for item in value:
            self._save(item)
        if id(value) in self._memo:  # it holds itself, and was made on the way
            self._put(*([POP] * len(value) if short else [POP_MARK]))
            self._recall(value)
            return
        self._put((TUPLE1, TUPLE2, TUPLE3)[len(value) - 1] if short else TUPLE)
        self._memoize(value)

    def _save_list(self, value):
        self._put(EMPTY_LIST)
        self._memoize(value)
        self._save_items(value)

    def _save_items(self, items):
        self._save_batches([(item,) for item in items], APPEND, APPENDS)

    def _save_dict(self, value):
        self._put(EMPTY_DICT)
        self._memoize(value)
        self._save_pairs(value.items())

    def _save_pairs(self, pairs):
        self._save_batches(list(pairs), SETITEM, SETITEMS)

    def _save_batches(self, groups, one, several):
        """Each group's values, by instructions that take one group or all from a mark on."""
        if len(groups) == 1:
            for value in groups[0]:
                self._save(value)
            return self._put(one)
        for start in range(0, len(groups), _BATCH):
            self._put(MARK)
            for group in groups[start:start + _BATCH]:
                for value in group:
                    self._save(value)
            self._put(several)

    def _save_set(self, value):
        if self._protocol < 4:
            return self._save_reduction(value, (set, (list(value),)))
        self._put(EMPTY_SET)
        self._memoize(value)
        items = list(value)
        # As CPython's, whose last batch is empty where the one before it was full.
        for start in range(0, len(items) + 1 if items else 0, _BATCH):
            self._put(MARK)
            for item in items[start:start + _BATCH]:
                self._save(item)
            self._put(ADDITEMS)

    def _save_frozenset(self, value):
        if self._protocol < 4:
            return self._save_reduction(value, (frozenset, (list(value),)))
        self._put(MARK)
        for item in value:
            self._save(item)
        if id(value) in self._memo:
            self._put(POP_MARK)
            self._recall(value)
            return
        self._put(FROZENSET)
        self._memoize(value)

    def _save_singleton(self, value):
        """`...` and `NotImplemented` have names."""
        self._save_global(value, repr(value))

    def _save_type(self, value):
        """Of the types that have no name, the type of what they are of."""
        for only in (None, ..., NotImplemented):
            if value is type(only):
                return self._save_reduction(value, (type, (only,)))
        self._save_global(value, value.__qualname__)

    def _save_global(self, value, name):
        """As the name that it has in its module."""
        module = _module_of(value)
        _check_found(value, module, name)
        if self._protocol >= 4:
            self._save(module)
            self._save(name)
            self._put(STACK_GLOBAL)
        elif "." in name:
            outer, _, last = name.rpartition(".")
            self._save_reduction(value, (getattr, (_found(module, outer), last)))
            return
        else:
            module = OLD_MODULES.get(module, module) if self._old_names else module
            self._put(f"c{module}\n{name}\n".encode("utf-8"))
        self._memoize(value)

    def _save_reduction(self, value, taken):
        """What `copyreg.reduction` says."""
        if isinstance(taken, str):
            return self._save_global(value, taken)
        if not isinstance(taken, tuple):
            raise PicklingError("__reduce__ must return a string or tuple")
        if not 2 <= len(taken) <= 6:
            raise PicklingError("tuple returned by __reduce__ must contain 2 through 6 elements")
        function, arguments, state, items, pairs, set_state = taken + (None,) * (6 - len(taken))
        self._save_call(function, arguments)
        if id(value) in self._memo:
            self._put(POP)
            self._recall(value)
        else:
            self._memoize(value)
        if items is not None:
            self._save_items(items)
        if pairs is not None:
            self._save_pairs(pairs)
        if state is None:
            return
        if set_state is None:
            self._save(state)
            self._put(BUILD)
        else:
            self._save(set_state)
            self._save((value, state))
            self._put(REDUCE, POP)

    def _save_call(self, function, arguments):
        if not callable(function):
            raise PicklingError("first item of the tuple returned by __reduce__ must be callable")
        if not isinstance(arguments, tuple):
            raise PicklingError("second item of the tuple returned by __reduce__ must be a tuple")
        if function is copyreg.__newobj__:
            self._save(arguments[0])
            self._save(arguments[1:])
            self._put(NEWOBJ)
        elif function is copyreg.__newobj_ex__ and self._protocol >= 4:
            for argument in arguments:
                self._save(argument)
            self._put(NEWOBJ_EX)
        else:
            self._save(function)
            self._save(arguments)
            self._put(REDUCE)


def _int_code(number):
    if 0 <= number < 1 << 8:
        return BININT1 + bytes([number])
    if 0 <= number < 1 << 16:
        return BININT2 + number.to_bytes(2, "little")
    if -1 << 31 <= number < 1 << 31:
        return BININT + number.to_bytes(4, "little", signed=True)
    size = (number if number >= 0 else ~number).bit_length() // 8 + 1
    code = LONG1 + bytes([size]) if size < 1 << 8 else LONG4 + size.to_bytes(4, "little")
    return code + number.to_bytes(size, "little", signed=True)


def _module_of(value):
    return getattr(value, "__module__", None) or type(value).__module__


def _found(module, name):
    """What a dotted name stands for in a module, which is imported."""
    found = __import__(module) and sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _check_found(value, module, name):
    """A name that stands for something else, or nothing, would read as that."""
    if "<locals>" in name:
        raise AttributeError(f"Can't pickle local object '{name}'")
    try:
        found = _found(module, name)
    except ImportError:
        raise PicklingError(f"Can't pickle {value!r}: import of module {module!r} failed") from None
    except AttributeError:
        raise PicklingError(
            f"Can't pickle {value!r}: attribute lookup {name} on {module} failed") from None
    if found is not value:
        raise PicklingError(f"Can't pickle {value!r}: it's not the same object as {module}.{name}")


_ATOMS = {
    type(None): lambda value: NONE, bool: lambda value: NEWTRUE if value else NEWFALSE, int: _int_code,
    float: lambda value: BINFLOAT + bytes_of_float(value)}
_WRITERS = {
    str: Pickler._save_str, bytes: Pickler._save_bytes, tuple: Pickler._save_tuple,
    list: Pickler._save_list, dict: Pickler._save_dict, set: Pickler._save_set,
    frozenset: Pickler._save_frozenset, type: Pickler._save_type, type(...): Pickler._save_singleton,
    type(NotImplemented): Pickler._save_singleton}

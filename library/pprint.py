"""Values over several lines, where one is too short.

    pprint({"lr": 0.1, "sizes": list(range(30))})     a key a line, a size a line
    pformat(config, width=40, compact=True)           the text, as many items in a line as fit

A value that fits stays as `repr` shows it, but for dicts, whose keys are sorted.
"""
import re
import sys
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from dataclasses import fields, is_dataclass
from types import SimpleNamespace

__all__ = ["PrettyPrinter", "isreadable", "isrecursive", "pformat", "pp", "pprint", "saferepr"]


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
           underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
            underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._repr(object, set(), 0)


def isreadable(object):
    return PrettyPrinter().isreadable(object)


def isrecursive(object):
    return PrettyPrinter().isrecursive(object)


class _Key:
    """Orders what has no order: by types, then by places in memory."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return (str(type(self.value)), id(self.value)) < (str(type(other.value)), id(other.value))


def _recursion(value):
    return f"<Recursion on {type(value).__name__} with id={id(value)}>"


def _shown_as(value, *classes):
    """The class among these whose `__repr__` the value has; None for others, as PyTorch's tuples."""
    if type(value).__module__.startswith("torch"):
        return None
    for each in classes:
        if isinstance(value, each) and type(value).__repr__ is each.__repr__:
            return each
    return None


def _has_own_fields(value):
    """Whether it is shown as data classes are: by names and values, with no `__repr__` of its own."""
    return is_dataclass(value) and getattr(type(value).__repr__, "_of_dataclass", False)


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        indent, width = int(indent), int(width)
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort_dicts = bool(compact), sort_dicts
        self._underscore_numbers = underscore_numbers
        self._readable, self._recursive = True, False

    def pprint(self, object):
        stream = sys.stdout if self._stream is None else self._stream
        stream.write(self.pformat(object) + "\n")

    def pformat(self, object):
        parts = []
        self._format(object, parts.append, 0, 0, set(), 0)
        return "".join(parts)

    def isrecursive(self, object):
        self._recursive = False
        self._repr(object, set(), 0)
        return self._recursive

    def isreadable(self, object):
        self._readable, self._recursive = True, False
        self._repr(object, set(), 0)
        return self._readable and not self._recursive

    # ---- In one line -----------------------------------------------------------------------------

    def format(self, object, context, maxlevels, level):
        """The text of a line, whether `eval` reads it back, whether it holds itself."""
        kind = _shown_as(object, int, dict, list, tuple)
        if kind is int and self._underscore_numbers and not isinstance(object, bool):
            return f"{object:_d}", True, False
        if kind is None or kind is int:
            text = repr(object)
            scalar = isinstance(object, (str, bytes, float, complex, bool, type(None)))
            return text, scalar or not text.startswith("<"), False
        begin, end = {dict: "{}", list: "[]", tuple: "()"}[kind]
        if not object:
            return begin + end, True, False
        if kind is tuple and len(object) == 1:
            end = ",)"
        if maxlevels and level >= maxlevels:
            return f"{begin}...{end}", False, id(object) in context
        if id(object) in context:
            return _recursion(object), False, True
        context.add(id(object))
        readable, recursive, texts = True, False, []
        for row in (self._items(object) if kind is dict else [(each,) for each in object]):
            parts = []
            for each in row:
                text, is_readable, is_recursive = self.format(each, context, maxlevels, level + 1)
                parts.append(text)
                readable, recursive = readable and is_readable, recursive or is_recursive
            texts.append(": ".join(parts))
        context.remove(id(object))
        return begin + ", ".join(texts) + end, readable, recursive

    def _repr(self, value, context, level):
        text, readable, recursive = self.format(value, set(context), self._depth, level)
        self._readable = self._readable and readable
        self._recursive = self._recursive or recursive
        return text

    def _items(self, mapping):
        if not self._sort_dicts:
            return list(mapping.items())
        return sorted(mapping.items(), key=lambda item: (_Key(item[0]), _Key(item[1])))

    # ---- In several lines ------------------------------------------------------------------------

    def _format(self, value, write, indent, allowance, context, level):
        if id(value) in context:
            write(_recursion(value))
            self._recursive, self._readable = True, False
            return
        text = self._repr(value, context, level)
        form = self._form_of(value) if len(text) > self._width - indent - allowance else None
        if form is None:
            write(text)
            return
        context.add(id(value))
        form(self, value, write, indent, allowance, context, level + 1)
        context.remove(id(value))

    def _form_of(self, value):
        """What shows such a value in several lines."""
        kind = _shown_as(value, *_FORMS)
        if kind is not None:
            return _FORMS[kind]
        return PrettyPrinter._dataclass if _has_own_fields(value) else None

    def _dict(self, value, write, indent, allowance, context, level):
        write("{" + " " * (self._indent - 1))
        if value:
            self._rows(self._items(value), write, indent, allowance + 1, context, level)
        write("}")

    def _ordered_dict(self, value, write, indent, allowance, context, level):
        if not value:
            write(repr(value))
            return
        name = type(value).__name__
        write(name + "(")
        self._format(list(value.items()), write, indent + len(name) + 1, allowance + 1, context, level)
        write(")")

    def _default_dict(self, value, write, indent, allowance, context, level):
        name = type(value).__name__
        indent += len(name) + 1
        factory = self._repr(value.default_factory, context, level)
        write(f"{name}({factory},\n{' ' * indent}")
        self._dict(value, write, indent, allowance + 1, context, level)
        write(")")

    def _counter(self, value, write, indent, allowance, context, level):
        if not value:
            write(repr(value))
            return
        name = type(value).__name__
        write(name + "({" + " " * (self._indent - 1))
        self._rows(value.most_common(), write, indent + len(name) + 1, allowance + 2, context, level)
        write("})")

    def _chain_map(self, value, write, indent, allowance, context, level):
        name = type(value).__name__
        indent += len(name) + 1
        write(name + "(")
        for number, each in enumerate(value.maps, 1):
            last = number == len(value.maps)
            self._format(each, write, indent, allowance + 1 if last else 1, context, level)
            write(")" if last else ",\n" + " " * indent)

    def _list(self, value, write, indent, allowance, context, level):
        write("[")
        self._row(value, write, indent, allowance + 1, context, level)
        write("]")

    def _tuple(self, value, write, indent, allowance, context, level):
        end = ",)" if len(value) == 1 else ")"
        write("(")
        self._row(value, write, indent, allowance + len(end), context, level)
        write(end)

    def _set(self, value, write, indent, allowance, context, level):
        if not value:
            write(repr(value))
            return
        begin, end = "{", "}"
        if type(value) is not set:
            begin, end = type(value).__name__ + "({", "})"
            indent += len(begin) - 1
        write(begin)
        self._row(sorted(value, key=_Key), write, indent, allowance + len(end), context, level)
        write(end)

    def _deque(self, value, write, indent, allowance, context, level):
        if not value:
            write(repr(value))
            return
        name = type(value).__name__
        indent += len(name) + 1
        write(name + "([")
        if value.maxlen is None:
            self._row(value, write, indent, allowance + 2, context, level)
            write("])")
        else:
            self._row(value, write, indent, 2, context, level)
            write(f"],\n{' ' * indent}maxlen={self._repr(value.maxlen, context, level)})")

    def _namespace(self, value, write, indent, allowance, context, level):
        name = "namespace" if type(value) is SimpleNamespace else type(value).__name__
        self._named(name, vars(value).items(), write, indent, allowance, context, level)

    def _dataclass(self, value, write, indent, allowance, context, level):
        items = [(each.name, getattr(value, each.name)) for each in fields(value) if each.repr]
        self._named(type(value).__name__, items, write, indent, allowance, context, level)

    def _named(self, name, items, write, indent, allowance, context, level):
        indent += len(name) + 1
        write(name + "(")
        items = list(items)
        for number, (key, value) in enumerate(items, 1):
            write(key + "=")
            last = number == len(items)
            if id(value) in context:
                write("...")
            else:
                self._format(value, write, indent + len(key) + 1, allowance if last else 1, context, level)
            if not last:
                write(",\n" + " " * indent)
        write(")")

    def _str(self, value, write, indent, allowance, context, level):
        """A text as several literals, cut behind words."""
        if not value:
            write(repr(value))
            return
        if level == 1:
            indent, allowance = indent + 1, allowance + 1
        lines, chunks = value.splitlines(True), []
        for number, line in enumerate(lines, 1):
            ends = number == len(lines)
            if len(repr(line)) <= self._width - indent - (allowance if ends else 0):
                chunks.append(repr(line))
            else:
                chunks += self._pieces(line, self._width - indent, allowance if ends else 0)
        if len(chunks) == 1:
            write(repr(lines[-1]))
            return
        write("(" if level == 1 else "")
        write(("\n" + " " * indent).join(chunks))
        write(")" if level == 1 else "")

    def _pieces(self, line, width, allowance):
        parts, current = re.findall(r"\S*\s*", line)[:-1], ""
        for number, part in enumerate(parts, 1):
            room = width - (allowance if number == len(parts) else 0)
            if len(repr(current + part)) <= room:
                current += part
                continue
            if current:
                yield repr(current)
            current = part
        if current:
            yield repr(current)

    def _bytes(self, value, write, indent, allowance, context, level):
        if len(value) <= 4:
            write(repr(value))
            return
        if level == 1:
            indent, allowance = indent + 1, allowance + 1
        chunks, current, last = [], b"", len(value) // 4 * 4
        room = self._width - indent
        for start in range(0, len(value), 4):
            part = value[start:start + 4]
            if start == last:
                room -= allowance
            if len(repr(current + part)) <= room:
                current += part
                continue
            if current:
                chunks.append(repr(current))
            current = part
        if current:
            chunks.append(repr(current))
        write("(" if level == 1 else "")
        write(("\n" + " " * indent).join(chunks))
        write(")" if level == 1 else "")

    def _rows(self, items, write, indent, allowance, context, level):
        """Keys and values, a row each."""
        indent += self._indent
        for number, (key, value) in enumerate(items, 1):
            text, last = self._repr(key, context, level), number == len(items)
            write(text + ": ")
            self._format(value, write, indent + len(text) + 2, allowance if last else 1, context, level)
            if not last:
                write(",\n" + " " * indent)

    def _row(self, items, write, indent, allowance, context, level):
        """Items, a line each, or as many in a line as fit."""
        items, indent = list(items), indent + self._indent
        write(" " * (self._indent - 1))
        between, room = "", self._width - indent + 1
        most = room
        for number, each in enumerate(items, 1):
            last = number == len(items)
            if last:
                most, room = most - allowance, room - allowance
            if self._compact:
                text = self._repr(each, context, level)
                if room < len(text) + 2:
                    room = most
                    between = ",\n" + " " * indent if between else ""
                if room >= len(text) + 2:
                    room -= len(text) + 2
                    write(between + text)
                    between = ", "
                    continue
            write(between)
            between = ",\n" + " " * indent
            self._format(each, write, indent, allowance if last else 1, context, level)


# The first that fits; what derives from another comes before it.
_FORMS = {ChainMap: PrettyPrinter._chain_map, OrderedDict: PrettyPrinter._ordered_dict,
          defaultdict: PrettyPrinter._default_dict,
          Counter: PrettyPrinter._counter, dict: PrettyPrinter._dict, list: PrettyPrinter._list,
          tuple: PrettyPrinter._tuple, set: PrettyPrinter._set, frozenset: PrettyPrinter._set,
          deque: PrettyPrinter._deque, SimpleNamespace: PrettyPrinter._namespace,
          str: PrettyPrinter._str, bytes: PrettyPrinter._bytes}

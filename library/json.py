"""JSON as text: `dumps` and `loads`, `dump` and `load`.

    dumps({"a": [1, 2.5, None]})     # '{"a": [1, 2.5, null]}'
"""
from _json import plain_text as _plain_text, plain_value as _plain_value
from math import isfinite


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        lineno = doc.count("\n", 0, pos) + 1
        colno = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {lineno} column {colno} (char {pos})")
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = lineno
        self.colno = colno


_escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f",
            "\b": "\\b"}


def _quote(text, ensure_ascii):
    parts = ['"']
    for c in text:
        if c in _escapes:
            parts.append(_escapes[c])
        elif " " <= c <= "~" or (c > "~" and not ensure_ascii):
            parts.append(c)
        else:
            code = ord(c)
            if code > 0xffff:
                code -= 0x10000
                parts.append(f"\\u{0xd800 + (code >> 10):04x}\\u{0xdc00 + (code & 0x3ff):04x}")
            else:
                parts.append(f"\\u{code:04x}")
    parts.append('"')
    return "".join(parts)


def _number(value, allow_nan):
    if isinstance(value, int):
        return int.__repr__(value)
    value = float(value)
    if not allow_nan and not isfinite(value):
        raise ValueError("Out of range float values are not JSON compliant")
    if value != value:
        return "NaN"
    if value == float("inf"):
        return "Infinity"
    if value == float("-inf"):
        return "-Infinity"
    return float.__repr__(value)


class _Writer:
    def __init__(self, skipkeys, ensure_ascii, allow_nan, indent, separators, default, sort_keys):
        if isinstance(indent, int) and not isinstance(indent, bool):
            indent = " " * indent
        self.indent = indent
        if separators is None:
            separators = (", ", ": ") if indent is None else (",", ": ")
        self.item_separator, self.key_separator = separators
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.allow_nan = allow_nan
        self.default = default
        self.sort_keys = sort_keys

    def key(self, key):
        if isinstance(key, str):
            return key
        if key is True:
            return "true"
        if key is False:
            return "false"
        if key is None:
            return "null"
        if isinstance(key, (int, float)):
            return _number(key, self.allow_nan)
        raise TypeError("keys must be str, int, float, bool or None, not "
                        f"{type(key).__name__}")

    def group(self, opening, parts, closing, level):
        if not parts:
            return opening + closing
        if self.indent is None:
            return opening + self.item_separator.join(parts) + closing
        inner = "\n" + self.indent * (level + 1)
        outer = "\n" + self.indent * level
        return opening + inner + (self.item_separator + inner).join(parts) + outer + closing

    def write(self, value, level=0):
        if isinstance(value, str):
            return _quote(value, self.ensure_ascii)
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        if isinstance(value, (int, float)):
            return _number(value, self.allow_nan)
        if isinstance(value, (list, tuple)):
            parts = [self.write(item, level + 1) for item in value]
            return self.group("[", parts, "]", level)
        if isinstance(value, dict):
            items = value.items()
            if self.sort_keys:
                items = sorted(items)
            parts = [_quote(self.key(key), self.ensure_ascii) + self.key_separator
                     + self.write(item, level + 1) for key, item in items
                     if not self.skipkeys or key is None or isinstance(key, (str, int, float))]
            return self.group("{", parts, "}", level)
        if self.default is not None:
            return self.write(self.default(value), level)
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None,
          indent=None, separators=None, default=None, sort_keys=False):
    if cls is not None:
        raise NotImplementedError("json: there is no `cls`; `default` says how other objects are written")
    if indent is None and default is None and not sort_keys:
        item_separator, key_separator = (", ", ": ") if separators is None else separators
        text = _plain_text(obj, ensure_ascii, item_separator, key_separator)
        if text is not None:
            return text
    return _Writer(skipkeys, ensure_ascii, allow_nan, indent, separators, default, sort_keys).write(obj)


def dump(obj, fp, **options):
    fp.write(dumps(obj, **options))


class _Reader:
    """Reads what `_plain_value` does not: what is wrong, big, or goes through a hook."""

    def __init__(self, text, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant):
        self.text = text
        self.at = 0
        self.size = len(text)
        self.object_hook = object_hook
        self.object_pairs_hook = object_pairs_hook
        self.parse_float = parse_float or float
        self.parse_int = parse_int or int
        self.parse_constant = parse_constant or float

    def fail(self, message, at=None):
        raise JSONDecodeError(message, self.text, self.at if at is None else at)

    def skip(self):
        text = self.text
        while self.at < self.size and text[self.at] in " \t\n\r":
            self.at += 1

    def word(self, word, value):
        if self.text[self.at:self.at + len(word)] == word:
            self.at += len(word)
            return value
        return self.fail("Expecting value")

    def value(self):
        if self.at >= self.size:
            self.fail("Expecting value")
        c = self.text[self.at]
        if c == '"':
            self.at += 1
            return self.string()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        if c == "n":
            return self.word("null", None)
        if c == "t":
            return self.word("true", True)
        if c == "f":
            return self.word("false", False)
        if c == "N":
            return self.parse_constant(self.word("NaN", "NaN"))
        if c == "I":
            return self.parse_constant(self.word("Infinity", "Infinity"))
        return self.number()

    def number(self):
        text = self.text
        start = self.at
        at = start
        if at < self.size and text[at] == "-":
            at += 1
            if text[at:at + 8] == "Infinity":
                self.at = at + 8
                return self.parse_constant("-Infinity")
        digits = at
        if text[at:at + 1] == "0":  # is all of it: `01` is a 0 and more
            at += 1
        else:
            while at < self.size and text[at] in "0123456789":
                at += 1
        if at == digits:
            self.fail("Expecting value", start)
        is_float = False
        if at + 1 < self.size and text[at] == "." and text[at + 1] in "0123456789":
            is_float = True
            at += 1
            while at < self.size and text[at] in "0123456789":
                at += 1
        if at < self.size and text[at] in "eE":
            ahead = at + 1
            if ahead < self.size and text[ahead] in "+-":
                ahead += 1
            if ahead < self.size and text[ahead] in "0123456789":
                is_float = True
                while ahead < self.size and text[ahead] in "0123456789":
                    ahead += 1
                at = ahead
        self.at = at
        return (self.parse_float if is_float else self.parse_int)(text[start:at])

    def string(self):
        begin = self.at - 1
        parts = []
        text = self.text
        while True:
            start = self.at
            while self.at < self.size and text[self.at] not in '"\\' and text[self.at] >= " ":
                self.at += 1
            parts.append(text[start:self.at])
            if self.at >= self.size:
                self.fail("Unterminated string starting at", begin)
            c = text[self.at]
            self.at += 1
            if c == '"':
                return "".join(parts)
            if c != "\\":
                self.fail("Invalid control character at", self.at - 1)
            parts.append(self.escape(begin))

    def escape(self, begin):
        if self.at >= self.size:
            self.fail("Unterminated string starting at", begin)
        c = self.text[self.at]
        self.at += 1
        simple = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
                  "t": "\t"}
        if c in simple:
            return simple[c]
        if c != "u":
            self.fail("Invalid \\escape", self.at - 2)
        code = self.four_digits()
        if 0xd800 <= code < 0xdc00 and self.text[self.at:self.at + 2] == "\\u":
            behind = self.at
            self.at += 2
            low = self.four_digits()
            if 0xdc00 <= low < 0xe000:
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
            else:
                self.at = behind
        return chr(code)

    def four_digits(self):
        digits = self.text[self.at:self.at + 4]
        if len(digits) < 4 or not all([digit in "0123456789abcdefABCDEF" for digit in digits]):
            self.fail("Invalid \\uXXXX escape", self.at - 1)
        self.at += 4
        return int(digits, 16)

    def array(self):
        self.at += 1
        items = []
        self.skip()
        if self.text[self.at:self.at + 1] == "]":
            self.at += 1
            return items
        while True:
            self.skip()
            items.append(self.value())
            self.skip()
            c = self.text[self.at:self.at + 1]
            self.at += 1
            if c == "]":
                return items
            if c != ",":
                self.fail("Expecting ',' delimiter", self.at - 1)

    def object(self):
        pairs = self.pairs()
        if self.object_pairs_hook is not None:
            return self.object_pairs_hook(pairs)
        items = dict(pairs)
        return items if self.object_hook is None else self.object_hook(items)

    def pairs(self):
        self.at += 1
        pairs = []
        self.skip()
        if self.text[self.at:self.at + 1] == "}":
            self.at += 1
            return pairs
        while True:
            self.skip()
            if self.text[self.at:self.at + 1] != '"':
                self.fail("Expecting property name enclosed in double quotes")
            self.at += 1
            key = self.string()
            self.skip()
            if self.text[self.at:self.at + 1] != ":":
                self.fail("Expecting ':' delimiter")
            self.at += 1
            self.skip()
            pairs.append((key, self.value()))
            self.skip()
            c = self.text[self.at:self.at + 1]
            self.at += 1
            if c == "}":
                return pairs
            if c != ",":
                self.fail("Expecting ',' delimiter", self.at - 1)


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
          object_pairs_hook=None):
    if cls is not None:
        raise NotImplementedError("json: there is no `cls`; `object_hook` says what objects become")
    if isinstance(s, bytes):
        s = (s[3:] if s.startswith(b"\xef\xbb\xbf") else s).decode()
    elif not isinstance(s, str):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}")
    elif s.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    hooks = (object_hook, parse_float, parse_int, parse_constant, object_pairs_hook)
    found = _plain_value(s) if all([hook is None for hook in hooks]) else None
    if found is not None:
        return found[0]
    reader = _Reader(s, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant)
    reader.skip()
    value = reader.value()
    reader.skip()
    if reader.at != reader.size:
        reader.fail("Extra data")
    return value


def load(fp, **options):
    return loads(fp.read(), **options)

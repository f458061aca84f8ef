"""`literal_eval`: the value of a text that is a literal, and runs nothing.

    literal_eval("{'lr': -1e-3, 'sizes': [1, (2, 3)]}")     the dict
    literal_eval("print(1)")                                ValueError

The parts of a text are found by `_PART`; a method of `_Literal` reads what one rule of the grammar says.
"""
import re

_PART = re.compile(r"""(?:[ \t\r\n\f]|\\\n|\#[^\n]*)*(?:
    (?P<text>(?:[bB][rR]?|[rR][bB]?|[uU])?(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"
             |'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    |(?P<number>0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+
             |(?:[0-9][0-9_]*)?\.?[0-9][0-9_]*\.?(?:[eE][+-]?[0-9][0-9_]*)?)
    |(?P<name>[A-Za-z_]\w*|\.\.\.)
    |(?P<mark>[\[\](){},:+-])
    |(?P<end>\Z))""", re.VERBOSE | re.DOTALL)
_NAMES = {"...": ..., "None": None, "True": True, "False": False}


class _Literal:
    def __init__(self, text):
        self._text = text
        self._place = 0
        self._next()

    def _next(self):
        """Goes on to the next part; of what can be none of a literal there is no kind."""
        found = _PART.match(self._text, self._place)
        self.kind = found.lastgroup if found else None
        self.part = found.group(self.kind) if found else ""
        self._place = found.end() if found else self._place

    def _malformed(self):
        line = self._text.count("\n", 0, self._place) + 1
        raise ValueError(f"malformed node or string on line {line}: {self._text!r}")

    def _take(self, mark):
        """Whether this mark comes next; it is passed."""
        if self.kind != "mark" or self.part != mark:
            return False
        self._next()
        return True

    def whole(self):
        """`1, 2` is a tuple."""
        value = self.value()
        if self.kind == "mark" and self.part == ",":
            value = (value, *self._items_behind(None))
        if self.kind != "end":
            self._malformed()
        return value

    def value(self):
        if self.kind == "text":
            return self._texts()
        if self.kind == "number" or self.kind == "mark" and self.part in "+-":
            return self._number()
        if self.kind == "name":
            return self._named()
        if self._take("["):
            return list(self._items("]"))
        if self._take("("):
            return self._in_brackets()
        if self._take("{"):
            return self._in_braces()
        self._malformed()

    def _texts(self):
        """Texts that stand side by side are one."""
        found = eval(self.part)
        self._next()
        while self.kind == "text":
            found += eval(self.part)
            self._next()
        return found

    def _number(self):
        negative = self._take("-")
        if not negative:
            self._take("+")
        if self.kind != "number":
            self._malformed()
        found = eval(self.part)
        self._next()
        return -found if negative else found

    def _named(self):
        name = self.part
        self._next()
        if name in _NAMES:
            return _NAMES[name]
        if name == "set" and self._take("(") and self._take(")"):
            return set()
        self._malformed()

    def _items(self, end):
        """What stands before the closing bracket, which is passed."""
        if self._take(end):
            return []
        return [self.value(), *self._items_behind(end)]

    def _items_behind(self, end):
        """What follows a first item: each behind a comma; the last comma may stand alone."""
        found = []
        while self._take(","):
            if self.kind == "end" or self.kind == "mark" and self.part == end:
                break
            found.append(self.value())
        if end is not None and not self._take(end):
            self._malformed()
        return found

    def _in_brackets(self):
        if self._take(")"):
            return ()
        first = self.value()
        if self._take(")"):
            return first
        return (first, *self._items_behind(")"))

    def _in_braces(self):
        if self._take("}"):
            return {}
        first = self.value()
        if not self._take(":"):
            return {first, *self._items_behind("}")}
        found = {first: self.value()}
        while self._take(",") and not (self.kind == "mark" and self.part == "}"):
            key = self.value()
            if not self._take(":"):
                self._malformed()
            found[key] = self.value()
        if not self._take("}"):
            self._malformed()
        return found


def literal_eval(node_or_string):
    if not isinstance(node_or_string, str):
        raise ValueError(f"malformed node or string: {node_or_string!r}")
    text = node_or_string.lstrip(" \t")
    compile(text, "<unknown>", "eval")  # what is no expression is a SyntaxError
    return _Literal(text).whole()

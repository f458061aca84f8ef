"""Patterns and their matches.

    pattern = compile(r"(\\w+)=(\\d+)")
    pattern.search("lr=3").groups()          # ("lr", "3")
"""
from _re import compile as _compile
from re._flags import ASCII, DEBUG, DOTALL, IGNORECASE, MULTILINE, RegexFlag, UNICODE
from re._source import error
from re._template import parts as _parts
from re._translate import translate as _translate

_FOR_BYTES = 512
_SEARCH, _MATCH, _FULL_MATCH = 0, 1, 2
# So many matches are found before the first of them is looked at.
_AT_ONCE = 200
_END = 0x7fffffffffffffff


class Match:
    def __init__(self, search, found):
        # The pattern, the text and the places between which it was searched: of all its matches.
        self._search = search
        self._places, self._texts = found

    @property
    def re(self):
        return self._search[0]

    @property
    def string(self):
        return self._search[1]

    @property
    def pos(self):
        return self._search[2]

    @property
    def endpos(self):
        return self._search[3]

    def _number(self, group):
        number = self.re.groupindex.get(group, -1) if isinstance(group, (str, bytes)) else group
        if not isinstance(number, int) or not 0 <= number < len(self._texts):
            raise IndexError("no such group")
        return number

    def group(self, *groups):
        if not groups:
            return self._texts[0]
        if len(groups) == 1:
            return self._texts[self._number(groups[0])]
        return tuple([self._texts[self._number(group)] for group in groups])

    def __getitem__(self, group):
        return self._texts[self._number(group)]

    def groups(self, default=None):
        return tuple([default if text is None else text for text in self._texts[1:]])

    def groupdict(self, default=None):
        texts = self._texts
        return {name: default if texts[number] is None else texts[number]
                for name, number in self.re.groupindex.items()}

    def start(self, group=0):
        return self._places[2 * self._number(group) if group else 0]

    def end(self, group=0):
        return self._places[2 * self._number(group) + 1 if group else 1]

    def span(self, group=0):
        number = self._number(group) if group else 0
        return self._places[2 * number], self._places[2 * number + 1]

    @property
    def regs(self):
        return tuple([self.span(number) for number in range(len(self._texts))])

    @property
    def lastindex(self):
        last, end = None, -1
        for group in self.re._closing:
            if self._places[2 * group + 1] >= max(end, 0):
                last, end = group, self._places[2 * group + 1]
        return last

    @property
    def lastgroup(self):
        last = self.lastindex
        for name, number in self.re.groupindex.items():
            if number == last:
                return name
        return None

    def expand(self, template):
        empty = template[:0]
        pieces = [self._texts[part] or empty if isinstance(part, int) else part
                  for part in _parts(template, self.re)]
        return empty.join(pieces)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


class Pattern:
    def __init__(self, pattern, flags):
        translated = _translate(pattern, flags)
        self.pattern = pattern
        self.flags = int(translated.flags)
        self.groups = translated.groups
        self.groupindex = translated.names
        self._closing = translated.closing
        bits = int(translated.flags & (IGNORECASE | MULTILINE | DOTALL | ASCII))
        if not isinstance(pattern, str):
            bits |= _FOR_BYTES
        try:
            self._program = _compile(translated.text, bits)
        except ValueError as problem:
            raise error(str(problem), pattern) from None

    def _search(self, string, pos=0, endpos=_END):
        length = len(string)
        return self, string, min(max(pos, 0), length), min(max(endpos, 0), length)

    def _find(self, string, pos, endpos, anchor):
        found = self._program.search(string, pos, endpos, anchor)
        return None if found is None else Match(self._search(string, pos, endpos), found)

    def search(self, string, pos=0, endpos=_END):
        return self._find(string, pos, endpos, _SEARCH)

    def match(self, string, pos=0, endpos=_END):
        return self._find(string, pos, endpos, _MATCH)

    def fullmatch(self, string, pos=0, endpos=_END):
        return self._find(string, pos, endpos, _FULL_MATCH)

    def findall(self, string, pos=0, endpos=_END):
        return self._program.findall(string, pos, endpos)

    def finditer(self, string, pos=0, endpos=_END):
        found = self._program.matches(string, pos, endpos, False, _AT_ONCE)
        return self._each(found, string, pos, endpos)

    def _each(self, found, string, pos, endpos):
        search = self._search(string, pos, endpos)
        while found:
            for each in found:
                yield Match(search, each)
            begin, end = found[-1][0][:2]
            found = self._program.matches(string, end, endpos, begin == end, _AT_ONCE)

    def split(self, string, maxsplit=0):
        if maxsplit < 0:
            return [string]
        return self._program.split(string, maxsplit)

    def subn(self, repl, string, count=0):
        if callable(repl):
            search = self._search(string)
            by = lambda found: repl(Match(search, found))
        elif isinstance(repl, (str, bytes)):
            by = _parts(repl, self)
        else:
            raise TypeError("expected str instance, " + type(repl).__name__ + " found")
        if count < 0:
            return string, 0
        return self._program.replaced(string, by, count)

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return self.flags == other.flags and self.pattern == other.pattern

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __repr__(self):
        flags = RegexFlag(self.flags)
        if isinstance(self.pattern, str):
            flags &= ~UNICODE
        text = repr(self.pattern)[:200]
        return f"re.compile({text}, {flags!r})" if flags & ~DEBUG else f"re.compile({text})"


Match.__module__ = Pattern.__module__ = "re"

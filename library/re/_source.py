"""A pattern or a replacement as it is read: a character, or a backslash and what it stands before,
at a time; and what is wrong with it.

    source = Source(r"\\d+")
    source.take(), source.take()     # "\\\\d", "+"
"""

DIGITS = "0123456789"
OCTAL_DIGITS = "01234567"
HEX_DIGITS = "0123456789abcdefABCDEF"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What a letter behind a backslash stands for, in patterns and in replacements.
CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class error(Exception):
    """A pattern that is none: `msg`, `pattern`, `pos`, `lineno`, `colno`."""

    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            msg = f"{msg} at position {pos}"
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            if newline in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


error.__module__ = "re"


class Source:
    def __init__(self, given):
        self.given = given
        self.is_text = isinstance(given, str)
        self.text = given if self.is_text else given.decode("latin-1")
        self.at = 0

    def next(self):
        """What `take` would give; None at the end."""
        if self.at >= len(self.text):
            return None
        if self.text[self.at] != "\\":
            return self.text[self.at]
        if self.at + 1 >= len(self.text):
            raise error("bad escape (end of pattern)", self.given, self.at)
        return self.text[self.at:self.at + 2]

    def take(self):
        token = self.next()
        if token is not None:
            self.at += len(token)
        return token

    def skip(self, token):
        """Whether that came next; then it is behind."""
        if self.next() != token:
            return False
        self.at += len(token)
        return True

    def take_while(self, most, allowed):
        begin = self.at
        while self.at < len(self.text) and self.at - begin < most and self.text[self.at] in allowed:
            self.at += 1
        return self.text[begin:self.at]

    def take_name(self, end):
        """A group's name, up to the end, which is behind then."""
        begin = self.at
        while True:
            token = self.take()
            if token is None:
                if self.at == begin:
                    raise self.error("missing group name")
                raise self.error(f"missing {end}, unterminated name", begin)
            if token == end:
                break
        name = self.text[begin:self.at - 1]
        if not name:
            raise self.error("missing group name", self.at - 1)
        return name

    def check_name(self, name):
        """That a name just read, and what ended it, is one."""
        if not name.isidentifier():
            raise self.error(f"bad character in group name {name!r}", self.at - len(name) - 1)

    def error(self, message, at=None):
        return error(message, self.given, self.at if at is None else at)

r"""A replacement's parts: the texts, and the numbers of the groups between them.

    parts(r"<\1>", pattern)          # ["<", 1, ">"]
"""
from re._source import CONTROLS, DIGITS, LETTERS, OCTAL_DIGITS, Source


class _Parts:
    def __init__(self, given, pattern):
        self.source = Source(given)
        self.pattern = pattern
        self.parts = []
        self.text = ""

    def end_text(self):
        if self.text:
            self.parts.append(self.text if self.source.is_text else self.text.encode("latin-1"))
            self.text = ""

    def add_group(self, group, at):
        if group > self.pattern.groups:
            raise self.source.error(f"invalid group reference {group}", at)
        self.end_text()
        self.parts.append(group)

    def named(self):
        source = self.source
        if not source.skip("<"):
            raise source.error("missing <")
        at = source.at
        name = source.take_name(">")
        if name.isidentifier():
            if name not in self.pattern.groupindex:
                raise IndexError(f"unknown group name {name!r}")
            return self.add_group(self.pattern.groupindex[name], at)
        if not name.isdigit():
            raise source.error(f"bad character in group name {name!r}", at)
        self.add_group(int(name), at)

    def numbered(self, digits, at):
        source = self.source
        digits += source.take_while(1, DIGITS)
        octal = len(digits) == 2 and digits[0] in OCTAL_DIGITS and digits[1] in OCTAL_DIGITS
        third = source.take_while(1, OCTAL_DIGITS) if octal else ""
        if not third:
            return self.add_group(int(digits), at + 1)
        if int(digits + third, 8) > 0o377:
            raise source.error(f"octal escape value \\{digits}{third} outside of range 0-0o377", at)
        self.text += chr(int(digits + third, 8))

    def read(self):
        source = self.source
        while True:
            at = source.at
            token = source.take()
            if token is None:
                break
            if len(token) == 1:
                self.text += token
            elif token == "\\g":
                self.named()
            elif token == "\\0":
                self.text += chr(int("0" + source.take_while(2, OCTAL_DIGITS), 8))
            elif token[1] in DIGITS:
                self.numbered(token[1], at)
            elif token[1] in CONTROLS:
                self.text += CONTROLS[token[1]]
            elif token[1] in LETTERS:
                raise source.error(f"bad escape {token}", at)
            else:
                self.text += token[1] if token == "\\\\" else token
        self.end_text()
        return self.parts


def parts(given, pattern):
    return _Parts(given, pattern).read()

"""The flags of patterns, which print by their names.

    RegexFlag(2) | RegexFlag(8)      # re.IGNORECASE|re.MULTILINE
"""


class RegexFlag:
    def __init__(self, value):
        self.value = int(value)

    def __or__(self, other):
        return RegexFlag(self.value | int(other))

    __ror__ = __or__

    def __and__(self, other):
        return RegexFlag(self.value & int(other))

    __rand__ = __and__

    def __xor__(self, other):
        return RegexFlag(self.value ^ int(other))

    __rxor__ = __xor__

    def __invert__(self):
        return RegexFlag(_ALL & ~self.value)

    def __int__(self):
        return self.value

    __index__ = __int__

    def __bool__(self):
        return self.value != 0

    def __eq__(self, other):
        return isinstance(other, (int, RegexFlag)) and self.value == int(other)

    def __hash__(self):
        return hash(self.value)

    @property
    def name(self):
        return "|".join([name for name in _NAMES if self & _NAMES[name]]) or "NOFLAG"

    def __repr__(self):
        known = [f"re.{name}" for name in _NAMES if self & _NAMES[name]]
        rest = self.value & ~_ALL
        if rest:
            known.append(hex(rest))
        return "|".join(known) or "re.NOFLAG"

    __str__ = __repr__


_NAMES = {"IGNORECASE": 2, "LOCALE": 4, "MULTILINE": 8, "DOTALL": 16, "UNICODE": 32, "VERBOSE": 64,
          "DEBUG": 128, "ASCII": 256}
_ALL = sum(_NAMES.values())

NOFLAG = RegexFlag(0)
I = IGNORECASE = RegexFlag(2)
L = LOCALE = RegexFlag(4)
M = MULTILINE = RegexFlag(8)
S = DOTALL = RegexFlag(16)
U = UNICODE = RegexFlag(32)
X = VERBOSE = RegexFlag(64)
DEBUG = RegexFlag(128)
A = ASCII = RegexFlag(256)

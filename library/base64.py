"""Bytes as letters and digits: of 64, 32 or 16 kinds.

    b64encode(b"abc")      b'YWJj'
    b64decode("YWJj")      b'abc'
"""
import binascii

__all__ = ["b16decode", "b16encode", "b32decode", "b32encode", "b64decode", "b64encode", "decodebytes",
           "encodebytes", "standard_b64decode", "standard_b64encode", "urlsafe_b64decode",
           "urlsafe_b64encode"]

_LINE = 57  # bytes that a line of 76 letters holds
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_VALUES = {letter: value for value, letter in enumerate(_LETTERS)}


def _as_bytes(text):
    if isinstance(text, str):
        if not text.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return text.encode()
    if not isinstance(text, bytes):
        raise TypeError("argument should be a bytes-like object or ASCII string, not "
                        f"{type(text).__name__!r}")
    return text


def b64encode(s, altchars=None):
    encoded = binascii.b2a_base64(s, newline=False)
    if altchars is None:
        return encoded
    if len(altchars) != 2:
        raise AssertionError(repr(altchars))
    return encoded.translate(bytes.maketrans(b"+/", altchars))


def b64decode(s, altchars=None, validate=False):
    s = _as_bytes(s)
    if altchars is not None:
        altchars = _as_bytes(altchars)
        if len(altchars) != 2:
            raise AssertionError(repr(altchars))
        s = s.translate(bytes.maketrans(altchars, b"+/"))
    return binascii.a2b_base64(s, strict_mode=validate)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(s, b"-_")


def encodebytes(s):
    """In lines."""
    if not isinstance(s, bytes):
        raise TypeError(f"expected bytes-like object, not {type(s).__name__}")
    return b"".join([binascii.b2a_base64(s[i:i + _LINE]) for i in range(0, len(s), _LINE)])


def decodebytes(s):
    if not isinstance(s, bytes):
        raise TypeError(f"expected bytes-like object, not {type(s).__name__}")
    return binascii.a2b_base64(s)


def b32encode(s):
    missing = -len(s) % 5
    number = int.from_bytes(s + bytes(missing), "big")
    count = (len(s) + missing) // 5 * 8
    text = bytes([_LETTERS[number >> 5 * (count - 1 - i) & 31] for i in range(count)])
    pads = missing * 8 // 5
    return text[:count - pads] + b"=" * pads


def b32decode(s, casefold=False, map01=None):
    s = _as_bytes(s)
    if len(s) % 8:
        raise binascii.Error("Incorrect padding")
    if map01 is not None:
        s = s.translate(bytes.maketrans(b"01", b"O" + _as_bytes(map01)))
    if casefold:
        s = s.upper()
    letters = s.rstrip(b"=")
    pads = len(s) - len(letters)
    number = 0
    for letter in letters:
        if letter not in _VALUES:
            raise binascii.Error("Non-base32 digit found")
        number = number << 5 | _VALUES[letter]
    if pads not in (0, 1, 3, 4, 6):
        raise binascii.Error("Incorrect padding")
    made = (number << 5 * pads).to_bytes(len(s) * 5 // 8, "big")
    return made[:len(letters) * 5 // 8]


def b16encode(s):
    return binascii.hexlify(s).upper()


def b16decode(s, casefold=False):
    s = _as_bytes(s)
    if casefold:
        s = s.upper()
    if not all(letter in b"0123456789ABCDEF" for letter in s):
        raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(s)

"""Bytes as text, as far as `base64` and digests need it: two digits a byte, or four letters for three.

    hexlify(b"ab")        b'6162'
    b2a_base64(b"abc")    b'YWJj\\n'
"""

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(_LETTERS)}
_PAIRS = [bytes((a, b)) for a in _LETTERS for b in _LETTERS]
_PAD = b"="[0]


class Error(ValueError):
    """What is read is no such text."""


class Incomplete(Exception):
    """There is less than was to be read."""


def _need_bytes(data):
    if not isinstance(data, bytes):
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")


def _as_bytes(data):
    """A text that is read: bytes, or a str of ASCII."""
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode()
    if not isinstance(data, bytes):
        raise TypeError("argument should be bytes, buffer or ASCII string, not "
                        f"'{type(data).__name__}'")
    return data


def hexlify(data, sep=None, bytes_per_sep=1):
    _need_bytes(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


def unhexlify(hexstr):
    text = _as_bytes(hexstr)
    if len(text) % 2:
        raise Error("Odd-length string")
    if not all(letter in b"0123456789abcdefABCDEF" for letter in text):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode())


b2a_hex, a2b_hex = hexlify, unhexlify


def b2a_base64(data, *, newline=True):
    _need_bytes(data)
    missing = -len(data) % 3
    padded = data + bytes(missing)
    text = b"".join([_PAIRS[padded[i] << 4 | padded[i + 1] >> 4]
                     + _PAIRS[(padded[i + 1] & 15) << 8 | padded[i + 2]]
                     for i in range(0, len(padded), 3)])
    if missing:
        text = text[:-missing] + b"=" * missing
    return text + b"\n" if newline else text


def _check_strictly(text):
    """What `strict_mode` refuses: letters and pads that say nothing."""
    if text[:1] == b"=":
        raise Error("Leading padding not allowed")
    letters = 0
    for at, letter in enumerate(text):
        if letter in _VALUES:
            if at and text[at - 1] == _PAD:
                raise Error("Discontinuous padding not allowed")
            letters += 1
        elif letter != _PAD:
            raise Error("Only base64 data is allowed")
        elif letters % 4 + text[:at + 1].count(b"=") >= 4 and at + 1 < len(text):
            raise Error("Excess data after padding")


def a2b_base64(data, /, *, strict_mode=False):
    """Letters that are not of the sixty-four are passed over; pads that fill up four end the text."""
    text = _as_bytes(data)
    if strict_mode:
        _check_strictly(text)
    made, rest, letters, pads = [], 0, 0, 0
    for letter in text:
        if letter == _PAD:
            pads += 1
            if letters % 4 >= 2 and letters % 4 + pads >= 4:
                return bytes(made)
            continue
        value = _VALUES.get(letter)
        if value is None:
            continue
        pads = 0
        letters += 1
        rest = rest << 6 | value
        if letters % 4 != 1:
            kept = -2 * letters % 8  # bits that the next letter's byte begins with
            made.append(rest >> kept)
            rest &= (1 << kept) - 1
    if letters % 4 == 1:
        raise Error(f"Invalid base64-encoded string: number of data characters ({letters}) cannot be "
                    "1 more than a multiple of 4")
    if letters % 4:
        raise Error("Incorrect padding")
    return bytes(made)

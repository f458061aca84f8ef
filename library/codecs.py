"""Texts and bytes, one into the other.

    codecs.encode("abc", "utf-8"), codecs.decode(b"616263", "hex")
    with codecs.open("log.txt", "r", "utf-8") as file: ...

Texts are UTF-8, ASCII or Latin-1; `hex`, `base64` and `zlib` make bytes of bytes, `rot13` a text of a text.
"""
from collections import namedtuple as _namedtuple

__all__ = ["BOM", "BOM_BE", "BOM_LE", "BOM_UTF8", "BOM_UTF16", "BOM_UTF16_BE", "BOM_UTF16_LE", "BOM_UTF32",
           "BOM_UTF32_BE", "BOM_UTF32_LE", "CodecInfo", "decode", "encode", "getdecoder", "getencoder", "lookup",
           "open"]

BOM_UTF8 = b"\xef\xbb\xbf"
BOM_LE = BOM_UTF16_LE = b"\xff\xfe"
BOM_BE = BOM_UTF16_BE = b"\xfe\xff"
BOM_UTF32_LE, BOM_UTF32_BE = b"\xff\xfe\0\0", b"\0\0\xfe\xff"
BOM, BOM_UTF16, BOM_UTF32 = BOM_UTF16_LE, BOM_UTF16_LE, BOM_UTF32_LE
CodecInfo = _namedtuple("CodecInfo", "name encode decode")
_open = open


def _rot13(text):
    turned = []
    for letter in text:
        first = "a" if "a" <= letter <= "z" else "A" if "A" <= letter <= "Z" else None
        turned.append(letter if first is None else chr((ord(letter) - ord(first) + 13) % 26 + ord(first)))
    return "".join(turned)


def _base64_encode(data):
    import base64
    return base64.encodebytes(data)


def _base64_decode(data):
    import base64
    return base64.decodebytes(data)


def _hex_encode(data):
    return data.hex().encode()


def _hex_decode(data):
    import binascii
    return binascii.unhexlify(data)


def _zlib_encode(data):
    import zlib
    return zlib.compress(data)


def _zlib_decode(data):
    import zlib
    return zlib.decompress(data)


_OTHERS = {"rot13": ("rot13", _rot13, _rot13), "hex": ("hex", _hex_encode, _hex_decode),
           "base64": ("base64", _base64_encode, _base64_decode), "zlib": ("zlib", _zlib_encode, _zlib_decode)}
_OTHERS |= {"rot_13": _OTHERS["rot13"], "hex_codec": _OTHERS["hex"], "base64_codec": _OTHERS["base64"],
            "base_64": _OTHERS["base64"], "zlib_codec": _OTHERS["zlib"], "zip": _OTHERS["zlib"]}
_TEXT_NAMES = {"utf8": "utf-8", "u8": "utf-8", "utf": "utf-8", "ascii": "ascii", "usascii": "ascii", "646": "ascii",
               "latin1": "iso8859-1", "iso88591": "iso8859-1", "latin": "iso8859-1", "l1": "iso8859-1"}


def encode(obj, encoding="utf-8", errors="strict"):
    other = _OTHERS.get(encoding.lower().replace("-", "_"))
    return other[1](obj) if other else obj.encode(encoding, errors)


def decode(obj, encoding="utf-8", errors="strict"):
    other = _OTHERS.get(encoding.lower().replace("-", "_"))
    return other[2](obj) if other else obj.decode(encoding, errors)


def lookup(encoding, /):
    other = _OTHERS.get(encoding.lower().replace("-", "_"))
    name = other[0] if other else _TEXT_NAMES.get(encoding.lower().replace("-", "").replace("_", ""))
    if name is None:
        raise LookupError(f"unknown encoding: {encoding}")
    return CodecInfo(name, lambda obj, errors="strict": (encode(obj, encoding, errors), len(obj)),
                     lambda obj, errors="strict": (decode(obj, encoding, errors), len(obj)))


def getencoder(encoding):
    return lookup(encoding).encode


def getdecoder(encoding):
    return lookup(encoding).decode


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    """As the builtin, but for the ends of lines, which stay as they are."""
    if encoding is None:
        return _open(filename, mode, buffering)
    return _open(filename, mode.replace("b", ""), buffering, encoding, errors, newline="")

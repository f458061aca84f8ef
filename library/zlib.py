"""Bytes compressed by DEFLATE, and checksums.

    zlib.decompress(zlib.compress(b"abc" * 100))
    zlib.crc32(b"abc")

`wbits` says what stands around what is compressed: 15 zlib's frame, -15 nothing, 31 gzip's.
"""
import _storage

__all__ = ["adler32", "compress", "crc32", "decompress", "error"]

MAX_WBITS = 15
DEFLATED = 8
Z_NO_COMPRESSION, Z_BEST_SPEED, Z_BEST_COMPRESSION, Z_DEFAULT_COMPRESSION = 0, 1, 9, -1
DEF_BUF_SIZE = 16384
DEF_MEM_LEVEL = 8
_GZIP = 16


class error(Exception):
    """What is no such data, or damaged."""


def crc32(data, value=0, /):
    return _storage.crc32(data, value & 0xFFFFFFFF)


def adler32(data, value=1, /):
    return _storage.adler32(data, value & 0xFFFFFFFF)


def _check_window(wbits):
    if wbits not in (MAX_WBITS, -MAX_WBITS, _GZIP + MAX_WBITS):
        raise error(f"wbits={wbits} is not supported: say 15, -15 or 31")


def compress(data, /, level=-1, wbits=MAX_WBITS):
    _check_window(wbits)
    if not -1 <= level <= 9:
        raise error("Bad compression level")
    packed = _storage.deflated(data, level)
    if wbits < 0:
        return packed
    if wbits > MAX_WBITS:
        speed = 4 if level == 1 else 2 if level == 9 else 0
        header = b"\x1f\x8b\x08\0\0\0\0\0" + bytes([speed, 3])
        return header + packed + crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    speed = 2 if level in (-1, 6) else 0 if level < 2 else 1 if level < 6 else 3
    header = 0x7800 | speed << 6
    header += 31 - header % 31
    return header.to_bytes(2, "big") + packed + adler32(data).to_bytes(4, "big")


def _incomplete():
    return error("Error -5 while decompressing data: incomplete or truncated stream")


def _inflated(data, at):
    try:
        return _storage.inflated_from(data, at)
    except (ValueError, EOFError):
        raise error("Error -3 while decompressing data: the compressed data is damaged, or ends early") from None


def decompress(data, /, wbits=MAX_WBITS, bufsize=DEF_BUF_SIZE):
    _check_window(wbits)
    if wbits < 0:
        return _inflated(data, 0)[0]
    if wbits > MAX_WBITS:
        import gzip
        try:
            return gzip.decompress(data)
        except (gzip.BadGzipFile, EOFError, ValueError) as problem:
            raise error(f"Error -3 while decompressing data: {problem}") from None
    if len(data) < 2:
        raise _incomplete()
    if data[0] & 15 != DEFLATED or int.from_bytes(data[:2], "big") % 31:
        raise error("Error -3 while decompressing data: incorrect header check")
    unpacked, end = _inflated(data, 2)
    if len(data) < end + 4:
        raise _incomplete()
    if int.from_bytes(data[end:end + 4], "big") != adler32(unpacked):
        raise error("Error -3 while decompressing data: incorrect data check")
    return unpacked

"""Files of the gzip format, as data sets are shared.

    with gzip.open("images.gz", "rb") as file: header = file.read(16)
    with gzip.open("log.gz", "wt") as file: print("epoch 1", file=file)

A file is unpacked when it is first read, and packed when it is closed. It is one member behind the other:
ten bytes and a name, compressed data, its CRC-32 and its length.
"""
import os
import time

import _storage
from io import BytesIO, StringIO

_open = open
_MAGIC = b"\x1f\x8b"
_END = "Compressed file ended before the end-of-stream marker was reached"
_HAS_CHECKSUM, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT = 2, 4, 8, 16
READ, WRITE = 1, 2


class BadGzipFile(OSError):
    """What is no file of this format, or a damaged one."""


def _need(data, end):
    if end > len(data):
        raise EOFError(_END)
    return end


def _data_start(data, at):
    """Where a member's compressed data begins."""
    if data[at:at + 2] != _MAGIC:
        raise BadGzipFile(f"Not a gzipped file ({data[at:at + 2]!r})")
    _need(data, at + 10)
    if data[at + 2] != 8:
        raise BadGzipFile("Unknown compression method")
    flags, at = data[at + 3], at + 10
    if flags & _HAS_EXTRA:
        at = _need(data, at + 2) + int.from_bytes(data[at:at + 2], "little")
    for flag in (_HAS_NAME, _HAS_COMMENT):
        if flags & flag:
            end = data.find(b"\0", at)
            at = end + 1 if end >= 0 else _need(data, len(data) + 1)
    return _need(data, at + 2 if flags & _HAS_CHECKSUM else at)


def decompress(data):
    """What all members become, one behind the other; zeros may fill up the end."""
    parts, at = [], 0
    while at < len(data):
        if parts and data[at] == 0:
            at += 1
            continue
        unpacked, at = _storage.inflated_from(data, _data_start(data, at))
        end = _need(data, at + 8)
        if int.from_bytes(data[at:at + 4], "little") != _storage.checksum(unpacked):
            raise BadGzipFile("CRC check failed")
        if int.from_bytes(data[at + 4:end], "little") != len(unpacked) & 0xffffffff:
            raise BadGzipFile("Incorrect length of data produced")
        parts.append(unpacked)
        at = end
    return b"".join(parts)


def _member(data, level, mtime, system, name=b""):
    how = {1: b"\x04", 9: b"\x02"}.get(level, b"\0")
    seconds = int(time.time() if mtime is None else mtime)
    head = _MAGIC + b"\x08" + (b"\x08" if name else b"\0") + seconds.to_bytes(4, "little") + how + system
    ending = _storage.checksum(data).to_bytes(4, "little") + (len(data) & 0xffffffff).to_bytes(4, "little")
    return head + (name + b"\0" if name else b"") + _storage.deflated(data, level) + ending


def compress(data, compresslevel=9, *, mtime=None):
    return _member(data, compresslevel, mtime, b"\x03" if mtime == 0 else b"\xff")


class GzipFile(BytesIO):
    closed = True  # until there is a file

    def __init__(self, filename=None, mode=None, compresslevel=9, fileobj=None, mtime=None):
        if mode and ("t" in mode or "U" in mode):
            raise ValueError(f"Invalid mode: {mode!r}")
        mode = mode or "rb"
        mode = mode if "b" in mode else mode + "b"
        self.fileobj = _open(filename, mode) if fileobj is None else fileobj
        self._owns_file = fileobj is None
        self.name = filename or getattr(fileobj, "name", "")
        self.mode = READ if mode[0] == "r" else WRITE
        self._level, self._mtime, self._unpacked = compresslevel, mtime, False
        super().__init__()

    def _whole(self):
        if self.mode == READ and not self._unpacked and not self.closed:
            self._unpacked = True
            self._begin(decompress(self.fileobj.read()))
        return super()._whole()

    def _check(self, mode, name):
        if self.mode != mode:
            kind = "read" if self.mode == READ else "write"
            raise OSError(9, f"{name}() on {kind}-only GzipFile object")

    def read(self, size=-1, /):
        self._check(READ, "read")
        return super().read(size)

    def write(self, data, /):
        self._check(WRITE, "write")
        return super().write(data)

    def peek(self, n):
        return self._whole()[self._at:self._at + max(n, 1)]

    def readable(self):
        return self.mode == READ

    def writable(self):
        return self.mode == WRITE

    def close(self):
        if self.closed:
            return
        if self.mode == WRITE:
            name = os.path.basename(self.name).removesuffix(".gz").encode() if self._owns_file else b""
            self.fileobj.write(_member(self._whole(), self._level, self._mtime, b"\xff", name))
        super().close()
        if self._owns_file:
            self.fileobj.close()

    def __del__(self):
        self.close()


class _TextFile(StringIO):
    """The text of a file: read at once, and encoded when it is closed."""

    closed = True

    def __init__(self, file, encoding, errors):
        super().__init__()
        self._file, self._how = file, (encoding or "utf-8", errors or "strict")
        if file.mode == READ:
            self._begin(file.read().decode(*self._how).replace("\r\n", "\n"))

    def close(self):
        if self.closed:
            return
        if self._file.mode == WRITE:
            self._file.write(self._whole().encode(*self._how))
        super().close()
        self._file.close()

    def __del__(self):
        self.close()


def open(filename, mode="rb", compresslevel=9, encoding=None, errors=None, newline=None):
    is_text = "t" in mode
    if is_text and "b" in mode:
        raise ValueError(f"Invalid mode: {mode!r}")
    for name, given in () if is_text else (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if given is not None:
            raise ValueError(f"Argument '{name}' not supported in binary mode")
    if newline is not None:
        raise NotImplementedError("newline= of gzip.open is not there")
    has_file = hasattr(filename, "read") or hasattr(filename, "write")
    if not has_file and not isinstance(filename, (str, bytes)) and not hasattr(filename, "__fspath__"):
        raise TypeError("filename must be a str or bytes object, or a file")
    plain_mode = mode.replace("t", "")
    if has_file:
        file = GzipFile(None, plain_mode, compresslevel, filename)
    else:
        file = GzipFile(os.fspath(filename), plain_mode, compresslevel)
    return _TextFile(file, encoding, errors) if is_text else file

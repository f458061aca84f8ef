"""Zip archives as PyTorch's checkpoints are: entries that are stored as they are, and found by name.
NumPy's may be compressed.

    with open("x.zip", "wb") as file:
        writer = Writer(file)
        writer.add("a/version", b"3\\n")
        writer.add("a/data/0", flat_tensor)
        writer.close()
    archive = Reader(open("x.zip", "rb"))
    archive.read("a/version")                  # b'3\\n'
    archive.tensor("a/data/0", torch.float32)

The format is PKWARE's APPNOTE 6.3. Sizes and places from 4 GiB on stand in its 64-bit fields.
"""
import _storage

_MOST = 0xffffffff  # what a 32-bit field holds where the number stands in a 64-bit one
_MOST_ENTRIES = 0xffff
_STORED, _DEFLATED = 0, 8
_ALIGNMENT = 64  # where a tensor's bytes begin, so that a file can be mapped into memory
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_END_64, _LOCATOR_64 = b"PK\x06\x06", b"PK\x06\x07"
_END_BYTES, _LOCATOR_BYTES, _LONGEST_COMMENT = 22, 20, 0xffff
_BROKEN = "PytorchStreamReader failed reading zip archive: "


def _fields(*pairs):
    """Numbers as so many bytes each, the lowest first: `_fields((20, 2), (0, 4))`."""
    return b"".join([number.to_bytes(size, "little") for number, size in pairs])


def _number(data, start, size):
    return int.from_bytes(data[start:start + size], "little")


def _extra(kind, data):
    return _fields((kind, 2), (len(data), 2)) + data


class Writer:
    """Writes one entry behind the other, then what lists them."""

    def __init__(self, file):
        self._file = file
        self._written = 0
        self._entries = []

    def add(self, name, data):
        """An entry of bytes, or of the memory of a flat tensor."""
        is_bytes = isinstance(data, bytes)
        size = len(data) if is_bytes else data.nbytes
        entry = name.encode("utf-8"), size, size, _storage.checksum(data), self._written
        self._put(self._local_header(*entry))
        if is_bytes:
            self._put(data)
        else:
            _storage.write(self._file, data)
            self._written += size
        self._entries.append(entry)

    def add_compressed(self, name, data):
        """An entry of bytes, stored as they are where that is no longer."""
        packed = _storage.deflated(data)
        if len(packed) >= len(data):
            self.add(name, data)
            return
        entry = name.encode("utf-8"), len(packed), len(data), _storage.checksum(data), self._written
        self._put(self._local_header(*entry))
        self._put(packed)
        self._entries.append(entry)

    def close(self):
        start = self._written
        for entry in self._entries:
            self._put(self._central_header(*entry))
        size, count = self._written - start, len(self._entries)
        if start >= _MOST or count >= _MOST_ENTRIES:
            end = self._written
            self._put(_END_64 + _fields((44, 8), (45, 2), (45, 2), (0, 4), (0, 4), (count, 8),
                                        (count, 8), (size, 8), (start, 8)))
            self._put(_LOCATOR_64 + _fields((0, 4), (end, 8), (1, 4)))
        shown = min(count, _MOST_ENTRIES)
        self._put(_END + _fields((0, 2), (0, 2), (shown, 2), (shown, 2), (min(size, _MOST), 4),
                                 (min(start, _MOST), 4), (0, 2)))

    def _put(self, data):
        self._file.write(data)
        self._written += len(data)

    def _local_header(self, name, packed, size, checksum, start):
        extra = _extra(1, _fields((size, 8), (packed, 8))) if size >= _MOST else b""
        begin = self._written + 30 + len(name) + len(extra) + 4
        extra += _extra(0x4246, b"Z" * (-begin % _ALIGNMENT))
        return _LOCAL + self._common(packed, size, checksum, 0) + _fields((len(name), 2), (len(extra), 2)) + \
            name + extra

    def _central_header(self, name, packed, size, checksum, start):
        wide = [(size, 8), (packed, 8)] if size >= _MOST else []
        if start >= _MOST:
            wide.append((start, 8))
        extra = _extra(1, _fields(*wide)) if wide else b""
        return _CENTRAL + _fields((45, 2)) + self._common(packed, size, checksum, start) + \
            _fields((len(name), 2), (len(extra), 2), (0, 2), (0, 2), (0, 2), (0, 4),
                    (min(start, _MOST), 4)) + name + extra

    def _common(self, packed, size, checksum, start):
        """Version, names in UTF-8, how it is stored, no time, and what follows of both headers."""
        version = 45 if max(size, start) >= _MOST else 20
        method = _STORED if packed == size else _DEFLATED
        shown = _MOST if size >= _MOST else packed
        return _fields((version, 2), (0x800, 2), (method, 2), (0, 2), (0x21, 2), (checksum, 4),
                       (shown, 4), (min(size, _MOST), 4))


class Reader:
    """Finds the entries of an archive; what is broken raises RuntimeError."""

    def __init__(self, file):
        self._file = file
        file.seek(0, 2)
        self._bytes = file.tell()
        self._entries = {}
        # What an archive stands behind, in a file that was begun before: its places count from itself.
        self._shift = 0
        try:
            self._list_entries()
        except (OverflowError, UnicodeDecodeError) as error:
            raise RuntimeError(_BROKEN + str(error))

    def _list_entries(self):
        count, size, start = self._find_directory()
        data = self._at(start, size)
        place = 0
        for _ in range(count):
            place = self._list_entry(data, place)

    def names(self):
        return list(self._entries)

    def read(self, name):
        size, checksum, start, packed = self._entry(name)
        data = self._at(self._begin(start), size if packed is None else packed)
        if packed is not None:
            try:
                data = _storage.inflated(data, size)
            except ValueError as error:
                raise RuntimeError(_BROKEN + f"{name} is damaged") from error
        if _storage.checksum(data) != checksum:
            raise RuntimeError(_BROKEN + f"{name} is damaged")
        return data

    def tensor(self, name, dtype):
        """All the numbers of an entry, as a tensor of one dimension."""
        size, checksum, start, packed = self._entry(name)
        if packed is not None:
            raise RuntimeError(_BROKEN + f"{name} is compressed")
        begin = self._begin(start) + self._shift
        if size < 0 or begin > self._bytes - size:
            raise RuntimeError(_BROKEN + "the file is cut off")
        self._file.seek(begin)
        made, found = _storage.read(self._file, size // dtype.itemsize, dtype)
        if found != checksum or size % dtype.itemsize != 0:
            raise RuntimeError(_BROKEN + f"{name} is damaged")
        return made

    def _entry(self, name):
        if name not in self._entries:
            raise RuntimeError(_BROKEN + f"file not found: {name}")
        return self._entries[name]

    def _at(self, start, size):
        start += self._shift
        if start < 0 or size < 0 or start > self._bytes - size:
            raise RuntimeError(_BROKEN + "the file is cut off")
        self._file.seek(start)
        return self._file.read(size)

    def _begin(self, start):
        """Where an entry's bytes begin, behind its own header."""
        header = self._at(start, 30)
        if header[:4] != _LOCAL:
            raise RuntimeError(_BROKEN + "an entry has no header")
        return start + 30 + _number(header, 26, 2) + _number(header, 28, 2)

    def _find_directory(self):
        """How many entries are listed, in how many bytes, from where on."""
        length = min(self._bytes, _END_BYTES + _LONGEST_COMMENT)
        tail = self._at(self._bytes - length, length)
        end = tail.rfind(_END)
        if end < 0 or end + _END_BYTES > length:
            raise RuntimeError(_BROKEN + "failed finding central directory")
        found = _number(tail, end + 10, 2), _number(tail, end + 12, 4), _number(tail, end + 16, 4)
        if found[0] < _MOST_ENTRIES and found[2] < _MOST:
            if found[0] > 0 and self._at(found[2], 4) != _CENTRAL:
                self._shift = max(self._bytes - length + end - found[1] - found[2], 0)
            return found
        locator = tail[max(end - _LOCATOR_BYTES, 0):end]
        if locator[:4] != _LOCATOR_64:
            return found
        wide = self._at(_number(locator, 8, 8), 56)
        if wide[:4] != _END_64:
            raise RuntimeError(_BROKEN + "failed finding central directory")
        return _number(wide, 32, 8), _number(wide, 40, 8), _number(wide, 48, 8)

    def _list_entry(self, data, place):
        """Notes the entry whose line begins at a place; where the next one does."""
        if data[place:place + 4] != _CENTRAL:
            raise RuntimeError(_BROKEN + "its central directory is damaged")
        name_size, extra_size = _number(data, place + 28, 2), _number(data, place + 30, 2)
        name_end = place + 46 + name_size
        name = data[place + 46:name_end].decode("utf-8")
        method, packed = _number(data, place + 10, 2), _number(data, place + 20, 4)
        if method not in (_STORED, _DEFLATED):
            raise RuntimeError(_BROKEN + f"{name} is compressed in a way that is not known")
        size, start = _number(data, place + 24, 4), _number(data, place + 42, 4)
        wide = self._wide_numbers(data[name_end:name_end + extra_size])
        if size == _MOST and len(wide) > 0:
            size, packed = wide[0], wide[1] if len(wide) > 1 else packed
            wide = wide[2:]
        if start == _MOST and len(wide) > 0:
            start = wide[0]
        self._entries[name] = (size, _number(data, place + 16, 4), start,
                               packed if method == _DEFLATED else None)
        return name_end + extra_size + _number(data, place + 32, 2)

    def _wide_numbers(self, extra):
        """The 64-bit fields among the extra ones of an entry."""
        place = 0
        while place + 4 <= len(extra):
            kind, size = _number(extra, place, 2), _number(extra, place + 2, 2)
            if kind == 1:
                body = extra[place + 4:place + 4 + size]
                return [_number(body, i, 8) for i in range(0, size - 7, 8)]
            place += 4 + size
        return []

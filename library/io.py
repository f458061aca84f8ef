"""Files in memory: `StringIO` of text, `BytesIO` of bytes; and `open`.

    buffer = StringIO()
    print("seen", file=buffer)
    buffer.getvalue()               'seen\\n'
"""
import operator

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
open = open


class _Memory:
    """What is written at the end is kept in parts, which are put together when somebody looks."""

    def _begin(self, initial):
        self._parts, self._at, self._size = [initial], 0, len(initial)
        self.closed = False

    def _whole(self):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._closed_end)
        if len(self._parts) != 1:
            self._parts = [self._empty.join(self._parts)]
        return self._parts[0]

    def _put(self, data):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._closed_end)
        if self._at == self._size:
            self._parts.append(data)
        else:
            known = self._whole()
            known += self._padding * (self._at - len(known))
            self._parts = [known[:self._at] + data + known[self._at + len(data):]]
        self._at += len(data)
        self._size = max(self._size, self._at)
        return len(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def getvalue(self):
        return self._whole()

    def read(self, size=-1, /):
        known = self._whole()
        end = self._size if size is None or size < 0 else min(self._size, self._at + size)
        found = known[self._at:end]
        self._at = max(self._at, end)
        return found

    def readline(self, size=-1, /):
        known = self._whole()
        end = known.find(self._newline, self._at) + 1 or self._size
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        found = known[self._at:end]
        self._at = max(self._at, end)
        return found

    def readlines(self, hint=-1, /):
        lines, size = [], 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def tell(self):
        self._whole()
        return self._at

    def truncate(self, size=None, /):
        size = self._at if size is None else operator.index(size)
        self._parts = [self._whole()[:size]]
        self._size = len(self._parts[0])
        return size

    def flush(self):
        self._whole()

    def close(self):
        self.closed = True

    def isatty(self):
        return False

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True

    def __enter__(self):
        self._whole()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()


class StringIO(_Memory):
    _empty, _newline, _padding, _closed_end = "", "\n", "\0", ""

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        self._begin(initial_value or "")

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"string argument expected, got '{type(text).__name__}'")
        return self._put(text)

    def seek(self, position, whence=0, /):
        self._whole()
        if whence == 0 and position < 0:
            raise ValueError(f"Negative seek position {position}")
        if whence != 0 and position != 0:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = (position, self._at, self._size)[whence]
        return self._at


class BytesIO(_Memory):
    _empty, _newline, _padding, _closed_end = b"", b"\n", b"\0", "."

    def __init__(self, initial_bytes=b""):
        if not isinstance(initial_bytes, (bytes, type(None))):
            raise TypeError(f"a bytes-like object is required, not '{type(initial_bytes).__name__}'")
        self._begin(initial_bytes or b"")

    def write(self, data, /):
        if not isinstance(data, bytes):
            raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
        return self._put(data)

    def seek(self, position, whence=0, /):
        self._whole()
        if whence == 0 and position < 0:
            raise ValueError(f"negative seek value {position}")
        self._at = max(0, position + (0, self._at, self._size)[whence])
        return self._at

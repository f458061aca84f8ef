"""Digests of bytes.

    sha256(b"abc").hexdigest()
    h = hashlib.new("md5"); h.update(chunk); h.digest()

MD5, SHA-1 and the family of SHA-2.
"""
from _hashing import Hasher as _Hasher

_NAMES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
algorithms_available = set(_NAMES)
__all__ = [*_NAMES, "new", "algorithms_available", "file_digest"]


class HASH:
    """Takes bytes in, and says what their digest is."""

    __module__ = "_hashlib"

    def __init__(self, name, hasher):
        self.name, self._hasher = name, hasher

    @property
    def digest_size(self):
        return self._hasher.digest_size()

    @property
    def block_size(self):
        return self._hasher.block_size()

    def update(self, obj, /):
        self._hasher.update(obj)

    def digest(self):
        return self._hasher.digest()

    def hexdigest(self):
        return self._hasher.digest().hex()

    def copy(self):
        return HASH(self.name, self._hasher.copy())

    def __repr__(self):
        return f"<{self.name} _hashlib.HASH object @ {id(self):#x}>"


def new(name, data=b"", *, usedforsecurity=True):
    name = name.lower()
    made = HASH(name, _Hasher(name))
    made.update(data)
    return made


def md5(string=b"", *, usedforsecurity=True):
    return new("md5", string)


def sha1(string=b"", *, usedforsecurity=True):
    return new("sha1", string)


def sha224(string=b"", *, usedforsecurity=True):
    return new("sha224", string)


def sha256(string=b"", *, usedforsecurity=True):
    return new("sha256", string)


def sha384(string=b"", *, usedforsecurity=True):
    return new("sha384", string)


def sha512(string=b"", *, usedforsecurity=True):
    return new("sha512", string)


def file_digest(fileobj, digest, /, *, _bufsize=2**18):
    """Of what a file of bytes still holds."""
    made = new(digest) if isinstance(digest, str) else digest()
    while True:
        data = fileobj.read(_bufsize)
        if not data:
            return made
        made.update(data)

"""Digests that only who knows the key can make.

    hmac.new(b"key", b"message", "sha256").hexdigest()
"""
import hashlib as _hashlib

__all__ = ["HMAC", "compare_digest", "digest", "new"]


class HMAC:
    """Of RFC 2104."""

    def __init__(self, key, msg=None, digestmod=""):
        if not isinstance(key, bytes):
            raise TypeError(f"key: expected bytes or bytearray, but got {type(key).__name__!r}")
        if not digestmod:
            raise TypeError("Missing required argument 'digestmod'.")
        make = (lambda data=b"": _hashlib.new(digestmod, data)) if isinstance(digestmod, str) else digestmod
        self._inner, self._outer = make(), make()
        self.digest_size, self.block_size = self._inner.digest_size, self._inner.block_size
        if len(key) > self.block_size:
            key = make(key).digest()
        key = key.ljust(self.block_size, b"\0")
        self._outer.update(bytes([each ^ 0x5C for each in key]))
        self._inner.update(bytes([each ^ 0x36 for each in key]))
        if msg is not None:
            self.update(msg)

    @property
    def name(self):
        return f"hmac-{self._inner.name}"

    def update(self, msg):
        self._inner.update(msg)

    def copy(self):
        made = HMAC.__new__(HMAC)
        made.digest_size, made.block_size = self.digest_size, self.block_size
        made._inner, made._outer = self._inner.copy(), self._outer.copy()
        return made

    def digest(self):
        outer = self._outer.copy()
        outer.update(self._inner.digest())
        return outer.digest()

    def hexdigest(self):
        return self.digest().hex()


def new(key, msg=None, digestmod=""):
    return HMAC(key, msg, digestmod)


def digest(key, msg, digest):
    return HMAC(key, msg, digest).digest()


def compare_digest(a, b, /):
    """Whether both are equal, in a time that does not tell where they differ."""
    if isinstance(a, str) and isinstance(b, str):
        if not a.isascii() or not b.isascii():
            raise TypeError("comparing strings with non-ASCII characters is not supported")
        a, b = a.encode(), b.encode()
    elif not (isinstance(a, bytes) and isinstance(b, bytes)):
        raise TypeError("unsupported operand types(s) or combination of types: "
                        f"{type(a).__name__!r} and {type(b).__name__!r}")
    differences = len(a) ^ len(b)
    for x, y in zip(a, b):
        differences |= x ^ y
    return differences == 0

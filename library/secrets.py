"""Random numbers that nobody can foretell, by the operating system.

    secrets.token_hex(16)
    secrets.choice(["a", "b"])
"""
import base64 as _base64
import os as _os
from hmac import compare_digest

__all__ = ["choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe", "compare_digest"]

DEFAULT_ENTROPY = 32


def randbits(k):
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    count = (k + 7) // 8
    return int.from_bytes(_os.urandom(count), "big") >> (count * 8 - k)


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    bits = exclusive_upper_bound.bit_length()
    while True:
        number = randbits(bits)
        if number < exclusive_upper_bound:
            return number


def choice(seq):
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[randbelow(len(seq))]


def token_bytes(nbytes=None):
    return _os.urandom(DEFAULT_ENTROPY if nbytes is None else nbytes)


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    return _base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")

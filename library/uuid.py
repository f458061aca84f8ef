"""Universally unique identifiers: 128 bits, as RFC 4122 writes them.

    uuid.uuid4()                                       a random one
    uuid.UUID("12345678-1234-5678-1234-567812345678").hex
    uuid.uuid5(uuid.NAMESPACE_DNS, "glint.example")    the same for the same name
"""
import hashlib as _hashlib
import os as _os
import time as _time

RESERVED_NCS, RFC_4122, RESERVED_MICROSOFT, RESERVED_FUTURE = [
    "reserved for NCS compatibility", "specified in RFC 4122", "reserved for Microsoft compatibility",
    "reserved for future definition"]


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(hex, 16)
        if bytes_le is not None:
            if len(bytes_le) != 16:
                raise ValueError("bytes_le is not a 16-char string")
            bytes = bytes_le[3::-1] + bytes_le[5:3:-1] + bytes_le[7:5:-1] + bytes_le[8:]
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int.from_bytes(bytes, "big")
        if fields is not None:
            int = _of_fields(fields)
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        object.__setattr__(self, "int", int)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    def __reduce__(self):
        return UUID, (self.hex,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self.int > other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self.int >= other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __repr__(self):
        return f"UUID({str(self)!r})"

    def __str__(self):
        hex = self.hex
        return f"{hex[:8]}-{hex[8:12]}-{hex[12:16]}-{hex[16:20]}-{hex[20:]}"

    @property
    def hex(self):
        return f"{self.int:032x}"

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def bytes_le(self):
        data = self.bytes
        return data[3::-1] + data[5:3:-1] + data[7:5:-1] + data[8:]

    @property
    def fields(self):
        return (self.time_low, self.time_mid, self.time_hi_version, self.clock_seq_hi_variant, self.clock_seq_low,
                self.node)

    @property
    def time_low(self):
        return self.int >> 96

    @property
    def time_mid(self):
        return self.int >> 80 & 0xFFFF

    @property
    def time_hi_version(self):
        return self.int >> 64 & 0xFFFF

    @property
    def clock_seq_hi_variant(self):
        return self.int >> 56 & 0xFF

    @property
    def clock_seq_low(self):
        return self.int >> 48 & 0xFF

    @property
    def time(self):
        return (self.time_hi_version & 0x0FFF) << 48 | self.time_mid << 32 | self.time_low

    @property
    def clock_seq(self):
        return (self.clock_seq_hi_variant & 0x3F) << 8 | self.clock_seq_low

    @property
    def node(self):
        return self.int & 0xFFFFFFFFFFFF

    @property
    def urn(self):
        return "urn:uuid:" + str(self)

    @property
    def variant(self):
        if not self.int & 0x8000 << 48:
            return RESERVED_NCS
        if not self.int & 0x4000 << 48:
            return RFC_4122
        return RESERVED_FUTURE if self.int & 0x2000 << 48 else RESERVED_MICROSOFT

    @property
    def version(self):
        return self.int >> 76 & 0xF if self.variant == RFC_4122 else None


_int = int
_WIDTHS = (32, 16, 16, 8, 8, 48)


def _of_fields(fields):
    if len(fields) != 6:
        raise ValueError("fields is not a 6-tuple")
    number = 0
    for place, (field, width) in enumerate(zip(fields, _WIDTHS)):
        if not 0 <= field < 1 << width:
            raise ValueError(f"field {place + 1} out of range (need a {width}-bit value)")
        number = number << width | field
    return number


def getnode():
    """A random number that stands for this machine, the same in this program."""
    global _node
    if _node is None:
        _node = _int.from_bytes(_os.urandom(6), "big") | 1 << 40
    return _node


_node = None
_last_time = 0


def uuid1(node=None, clock_seq=None):
    global _last_time
    ticks = max(_time.time_ns() // 100 + 0x01B21DD213814000, _last_time + 1)
    _last_time = ticks
    if clock_seq is None:
        clock_seq = _int.from_bytes(_os.urandom(2), "big") & 0x3FFF
    fields = (ticks & 0xFFFFFFFF, ticks >> 32 & 0xFFFF, ticks >> 48 & 0x0FFF, clock_seq >> 8 & 0x3F, clock_seq & 0xFF,
              getnode() if node is None else node)
    return UUID(fields=fields, version=1)


def uuid3(namespace, name):
    return UUID(bytes=_hashlib.md5(namespace.bytes + name.encode()).digest(), version=3)


def uuid4():
    return UUID(bytes=_os.urandom(16), version=4)


def uuid5(namespace, name):
    return UUID(bytes=_hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")

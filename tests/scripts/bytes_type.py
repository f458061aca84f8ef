# bytes: literals, indexing, methods.
b = b"hello\x00\xff"
print(b, len(b), b[0], b[1:3], list(b[:2]), b + b"!", b * 2, b"l" in b, 104 in b, b == b"hello\x00\xff", b"a" < b"b")
print(bytes(3), bytes([65, 66]), b"abc".decode(), "é".encode(), b"a,b".split(b","), b"x".hex(), bytes.fromhex("4142"), b"abc".find(b"c"), b"a'b", b'a"b', b"\t\n\\")
print(b"-".join([b"a", b"b"]), b"abc".replace(b"b", b""), b"ab".startswith(b"a"), hash(b"a") == hash(b"a"), bool(b""), rb"\n", [x for x in b"AB"])
try:
    b"a" + "b"
except TypeError as error:
    print(error)

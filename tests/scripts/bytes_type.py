# bytes: literals, indexing, methods.
b = b"hello\x00\xff"
print(b, len(b), b[0], b[1:3], list(b[:2]), b + b"!", b * 2, b"l" in b, 104 in b, b == b"hello\x00\xff", b"a" < b"b")
print(bytes(3), bytes([65, 66]), b"abc".decode(), "é".encode(), b"a,b".split(b","), b"x".hex(), bytes.fromhex("4142"), b"abc".find(b"c"), b"a'b", b'a"b', b"\t\n\\")
print(b"-".join([b"a", b"b"]), b"abc".replace(b"b", b""), b"ab".startswith(b"a"), hash(b"a") == hash(b"a"), bool(b""), rb"\n", [x for x in b"AB"])
try:
    b"a" + "b"
except TypeError as error:
    print(error)
print(b"Hello".upper(), b"Hello".lower(), b"hello world".title(), b"hELLO".capitalize(), b"hELLO wORLD".swapcase(), b"\xe9a".upper(), b"they're".title())
print(b"abcabc".rfind(b"b"), b"abcabc".index(b"c"), b"abcabc".rindex(b"c"), b"abcabc".find(b"z"), b"a=b=c".partition(b"="), b"a=b=c".rpartition(b"="), b"abc".partition(b"="), b"abc".rpartition(b"="))
print(b"a\nb\r\nc".splitlines(), b"a\nb\r\nc".splitlines(True), b"a b  c".split(), b"a b  c".split(None, 1), b"a,b,c".split(b",", 1), b"a,b,c".rsplit(b",", 1), b" a b c ".rsplit(maxsplit=1), b"a,b".split(sep=b","))
print(b"  x ".strip(), b"  x ".lstrip(), b"  x ".rstrip(), b"xxaxx".strip(b"x"), b"xyaxy".lstrip(b"yx"), b"xyaxy".rstrip(b"yx"), b"prefix-a".removeprefix(b"prefix"), b"a.py".removesuffix(b".py"), b"a".removesuffix(b"b"))
print(b"ab".center(5), b"abc".center(6, b"*"), b"ab".ljust(4, b"."), b"ab".rjust(4), b"-42".zfill(6), b"42".zfill(1), b"ab".center(1))
print(b"ab".isalpha(), b"a1".isalpha(), b"12".isdigit(), b"".isdigit(), b"a1".isalnum(), b" \t".isspace(), b"AB1".isupper(), b"ab1".islower(), b"Ab Cd".istitle(), b"\xe9".isalpha(), b"\xe9".isascii(), b"".isascii(), b"aXb".count(b"X"))
for bad in (lambda: b"abc".index(b"z"), lambda: b"abc".rindex(b"z"), lambda: b"a".partition(b""), lambda: b"a".split(b""), lambda: b"a".center(5, b"xx"), lambda: b"abc"[5], lambda: b"a".ljust("5"), lambda: bytes([256]), lambda: bytes([-1]), lambda: bytes(-1), lambda: b"a".split(","), lambda: b"a".strip("a")):
    try:
        print(bad())
    except (ValueError, TypeError, IndexError) as error:
        print(type(error).__name__, error)
print(b"a b  c  ".split(None, 1), " a b  c  ".split(None, 2), "  a b  c ".rsplit(None, 1), " a ".split(None, 0), "  ".split(None, 0), b"\xe9 \xff\xe9  \xf0".split(), b"\xc2\xa0\xe9".rsplit(), b"a\x0bb\x1cc\rd\n".splitlines(), b"\xa0\x85 x".split())
text = b"abcabc"
print(text.find(b"a", 1), text.find(b"c", 0, 2), text.find(b"", 6), text.find(b"", 7), text.find(b"a", -3))
print(text.rfind(b"a", 0, 4), text.rfind(b"b", -2), text.rfind(b"b", -1), text.index(b"b", 2), text.rindex(b"b", None, 4))
print(text.count(b"a", 1), text.count(b"bc", 1, 3), text.count(b"", 6), text.count(b"", 7), text.find(b"a", 4, 2))

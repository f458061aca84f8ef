# hashlib, hmac, zlib, uuid, secrets.
import hashlib
import hmac
import os
import pickle
import secrets
import uuid
import zlib

for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    made = getattr(hashlib, name)(b"abc")
    print(name, made.hexdigest(), made.digest_size, made.block_size, made.name)
    print(hashlib.new(name, b"").hexdigest() == getattr(hashlib, name)().hexdigest(), len(made.digest()))
h = hashlib.sha256()
for part in (b"a" * 100, b"b" * 1000, b""):
    h.update(part)
copy = h.copy()
h.update(b"more")
print(h.hexdigest(), copy.hexdigest(), h.hexdigest() == hashlib.sha256(b"a" * 100 + b"b" * 1000 + b"more").hexdigest())
print(hashlib.md5(b"x", usedforsecurity=False).hexdigest(), hashlib.new("SHA256", b"x").hexdigest()[:10])
for action in (lambda: hashlib.md5("text"), lambda: hashlib.new("nothing"), lambda: hashlib.sha1().update(3)):
    try:
        action()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error)[:45])
path = f"/tmp/glint_hashing_modules_{os.getpid()}.bin"
with open(path, "wb") as file:
    file.write(bytes(range(256)) * 50)
with open(path, "rb") as file:
    print(hashlib.file_digest(file, "sha256").hexdigest())
os.remove(path)

print(hmac.new(b"key", b"message", "sha256").hexdigest(), hmac.new(b"k" * 100, b"m", hashlib.md5).hexdigest(), hmac.digest(b"a", b"b", "sha1").hex())
m = hmac.new(b"key", digestmod="sha512")
m.update(b"mes")
m.update(b"sage")
print(m.hexdigest()[:20], m.name, m.digest_size, hmac.compare_digest("a", "a"), hmac.compare_digest(b"a", b"b"))

data = b"the same words again and again, the same words again and again " * 20
for level in (-1, 0, 1, 6, 9):
    packed = zlib.compress(data, level)
    print(level, packed[:2].hex(), zlib.decompress(packed) == data, len(packed) < 200 or level == 0)
print(zlib.crc32(b"abc"), zlib.crc32(b"c", zlib.crc32(b"ab")), zlib.adler32(b"abc"), zlib.adler32(b"c", zlib.adler32(b"ab")), zlib.crc32(b""), zlib.adler32(b""))
for wbits in (15, -15, 31):
    print(wbits, zlib.decompress(zlib.compress(data, 6, wbits), wbits) == data)
for damaged in (b"", b"x", b"not zlib data", zlib.compress(data)[:-2], zlib.compress(data)[:-1] + b"\0"):
    try:
        zlib.decompress(damaged)
    except zlib.error as error:
        print("error", str(error)[:36])

u = uuid.UUID("12345678-1234-5678-1234-567812345678")
print(u, repr(u), u.hex, u.int, u.bytes, u.fields, u.version, u.variant, u.urn, u.time_low, u.node)
print(uuid.UUID(hex="{12345678123456781234567812345678}") == u, uuid.UUID(int=u.int) == u, uuid.UUID(bytes=u.bytes) == u, uuid.UUID(bytes_le=u.bytes_le) == u, uuid.UUID(fields=u.fields) == u, hash(u) == hash(u.int), int(u) == u.int)
print(uuid.uuid3(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid5(uuid.NAMESPACE_URL, "x").version)
random = uuid.uuid4()
print(random.version, random.variant, random != uuid.uuid4(), len(str(random)), random == uuid.UUID(str(random)), pickle.loads(pickle.dumps(random)) == random)
print(uuid.uuid1().version, uuid.uuid1() != uuid.uuid1(), u < random or random < u, sorted([u, uuid.UUID(int=1)])[0].int)
for action in (lambda: uuid.UUID("short"), lambda: uuid.UUID(), lambda: uuid.UUID(int=-1), lambda: setattr(u, "int", 3)):
    try:
        action()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

print(len(secrets.token_bytes(8)), len(secrets.token_hex(8)), len(secrets.token_urlsafe(8)), len(secrets.token_bytes()), secrets.token_hex() != secrets.token_hex())
print(all(0 <= secrets.randbelow(7) < 7 for _ in range(100)), secrets.choice([3]), secrets.randbits(0), secrets.randbits(10) < 1024, secrets.compare_digest("a", "b"), len(os.urandom(5)))

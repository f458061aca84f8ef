import base64
import binascii


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


data = bytes(range(256))
encoded = base64.b64encode(data)
print(encoded, base64.b64decode(encoded) == data, base64.b64decode(encoded.decode()) == data)
for count in range(8):
    some = data[250 - count:250]
    print(base64.b64encode(some), base64.urlsafe_b64encode(some), base64.b32encode(some), base64.b16encode(some),
          base64.b64decode(base64.b64encode(some)) == some, base64.b32decode(base64.b32encode(some)) == some,
          base64.urlsafe_b64decode(base64.urlsafe_b64encode(some)) == some)
print(base64.encodebytes(data[:120]), base64.decodebytes(base64.encodebytes(data)) == data)
print(base64.b64encode(b"\xfb\xff", b"-_"), base64.b64decode("-_8=", "-_"), base64.standard_b64decode("+/8="))
print(binascii.hexlify(b"ab"), binascii.hexlify(b"abc", "-"), binascii.unhexlify("6162"), binascii.b2a_base64(b"a"))
print(base64.b16decode("6162"), base64.b16decode(b"aB", True), base64.b32decode("nbswy3dp", casefold=True))
print(issubclass(binascii.Error, ValueError))

# Letters that mean nothing, pads that are too few or too many.
for text in ("", "abc", "abcde", "ab==cd", "a b!c=", "YW=E", "YWE=YWE=", "====", "YQ", "a", "ab\nc=", "YQ=="):
    attempt(lambda: base64.b64decode(text))
    attempt(lambda: base64.b64decode(text, validate=True))
for text in ("ab=c", "=abc", "a=b=", "abcd=", "ab==="):
    attempt(lambda: base64.b64decode(text, validate=True))
attempt(lambda: base64.b64encode("a"))
attempt(lambda: base64.b64decode(5))
attempt(lambda: base64.b64decode("\u00e9"))
attempt(lambda: base64.b64encode(b"a", b"-"))
attempt(lambda: base64.b16decode(b"ab"))
attempt(lambda: base64.b16decode("ABC"))
attempt(lambda: base64.b32decode("A"))
attempt(lambda: base64.b32decode("A1======"))
attempt(lambda: base64.b32decode("AA==A==="))
attempt(lambda: binascii.unhexlify("abc"))
attempt(lambda: binascii.unhexlify("zz"))
attempt(lambda: base64.encodebytes("a"))

# codecs: texts and bytes.
import codecs
import os

print(codecs.encode("héllo"), codecs.decode(b"h\xc3\xa9llo"), codecs.encode("é", "latin-1"), codecs.decode(b"\xe9", "iso-8859-1"), codecs.encode("é", "ascii", "replace"))
print(codecs.encode(b"abc", "hex"), codecs.decode(b"616263", "hex"), codecs.encode(b"abc" * 30, "base64"), codecs.decode(b"YWJj\n", "base64"), codecs.encode("Hello, Wörld", "rot13"), codecs.decode("Uryyb", "rot_13"))
print(codecs.decode(codecs.encode(b"data" * 9, "zlib"), "zip"), codecs.lookup("UTF8").name, codecs.lookup("latin_1").name, codecs.lookup("ASCII").name, codecs.getencoder("utf-8")("é"), codecs.getdecoder("utf-8")(b"\xc3\xa9"))
print(codecs.BOM_UTF8, codecs.BOM_UTF16 == codecs.BOM_LE, codecs.BOM_UTF32_BE)
path = f"/tmp/glint_codecs_of_texts_{os.getpid()}.txt"
with codecs.open(path, "w", "utf-8") as file:
    file.write("one\r\ntwö\n")
with codecs.open(path, "r", encoding="utf-8") as file:
    print(repr(file.read()))
with codecs.open(path) as file:
    print(repr(file.read()))
with codecs.open(path, "r", "latin-1") as file:
    print(repr(file.read()))
with codecs.open(path, "rb", "utf-8") as file:
    print([line for line in file])
os.remove(path)
for action in (lambda: codecs.lookup("nothing"), lambda: codecs.encode("é", "ascii"), lambda: codecs.decode(b"\xff", "utf-8")):
    try:
        action()
    except (LookupError, UnicodeError) as error:
        print(type(error).__name__, error)

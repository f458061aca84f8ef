"""Regular expressions: what is found, where, and what groups hold."""
import re

text = "lr=0.1, steps = 200; name=\"net\"; Größe=3µm\nlr=2e-3 end"

# ---- Where a match may begin and end ----
for pattern in (r"lr", r"\w+", r"steps", r"(\w+)\s*=\s*(\S+)", r"end$", r"^lr", r"\Alr", r"d\Z", r"x*", r"µm$"):
    compiled = re.compile(pattern)
    print(pattern, compiled.search(text), compiled.match(text), compiled.fullmatch(text))
    print("   ", compiled.findall(text))
print(re.fullmatch(r"a|ab", "ab"), re.match(r"a|ab", "ab"), re.fullmatch(r"(a+)(b?)", "aab").groups())
pattern = re.compile(r"\w+")
print(pattern.search(text, 4), pattern.search(text, 4, 6), pattern.match(text, 8), pattern.fullmatch(text, 0, 2))
print(pattern.search(text, -5), pattern.search(text, 1000), pattern.search(text, 5, 3))
m = pattern.search(text, 33)
print(m, m.pos, m.endpos, m.string is text, m.re is pattern, m.span(), text[m.start():m.end()])
print(re.compile("^b").search("abc", 1), re.compile("(?<=a)b").search("abc", 1), re.compile("b$").search("abc", 0, 2))

# ---- Groups ----
m = re.search(r"(?P<key>\w+)=(?P<value>[\d.]+)(?P<unit>µm)?", text)
print(m.group(), m.group(0), m.group(1), m.group("value"), m.group(1, "unit"), m["key"], m[2])
print(m.groups(), m.groups("none"), m.groupdict(), m.groupdict(default=""))
print(m.start("key"), m.end("value"), m.span("unit"), m.regs, m.lastindex, m.lastgroup)
for wrong in (lambda: m.group(4), lambda: m["x"], lambda: m.start(-1), lambda: m.group(1.5)):
    try:
        wrong()
    except IndexError as e:
        print("IndexError:", e)
print(re.compile(r"(?P<a>x)(?P<b>y)(z)").groupindex, re.compile("(a)(b)").groups)
for pattern, of in ((r"(a)(b)?", "a"), (r"((a)(b))", "ab"), (r"(a)|(b)", "b"), (r"(?:(a)|(b))*", "aba"), (r"a", "a"), (r"(a)(b?)", "a")):
    m = re.match(pattern, of)
    print(pattern, m.lastindex, m.regs)
print(bool(re.match("", "x")), re.match("(x)?", "y").groups(), re.match("(x)?", "y").group(1))

# ---- Texts of more than one byte a character ----
unicode = "Ä ä ß 日本語 text 🎉 naïve"
print([m.span() for m in re.finditer(r"\w+", unicode)], re.findall(r"\w+", unicode))
print(re.findall(r"\w+", unicode, re.ASCII), re.findall("ä", unicode, re.I), re.split(r"\s+", unicode, 3))
print(re.search("🎉", unicode).span(), re.search(r"[日本]+", unicode), re.findall(r"[à-ï]", unicode))
print(re.search("\u00e4", unicode).start(), re.search(r"\u00e4", unicode).start(), re.search(r"\U0001f389", unicode).start(), re.search(r"\xdf", unicode).start())
print(re.findall(r"\d+", "12 ٣٤ 5"), re.findall(r"(?a)\d+", "12 ٣٤ 5"), re.sub(r"\W", "_", unicode))

# ---- Flags ----
lines = "One two\none TWO\n"
print(re.findall("^one", lines), re.findall("^one", lines, re.M), re.findall("^one", lines, re.M | re.I))
print(re.findall("two$", lines, re.I), re.findall("two$", lines, re.I | re.MULTILINE), re.findall("o.o", "o\no oxo", re.S))
print(re.findall(r"(?i)ONE", lines), re.findall(r"(?i:o)ne", lines), re.findall(r"(?im)^one$|TWO$", lines))
print(re.findall(r"""
    (\w+)   # a word
    \       # a blank
    [ #]*   # not a comment
    (\w+)
""", lines, re.VERBOSE), re.findall(r"(?x) o n e", lines), re.findall(r"(?x: o n e) [ t]", lines))
print(re.I, re.I | re.M, re.NOFLAG, repr(re.A), re.compile("a").flags, re.compile("(?i)a", re.M).flags, re.compile(b"a").flags)
print(re.compile("a"), re.compile("a\n'b", re.I | re.S), re.compile(b"a", re.X), re.compile("(?i)a"))
print(re.compile("a") == re.compile("a"), re.compile("a") == re.compile("a", re.I), len({re.compile("a"), re.compile("a")}))

# ---- What stands around, references, conditions ----
print(re.findall(r"(?<=\$)\d+", "$12 €34 $5"), re.findall(r"(?<!\$)\b\d+", "$12 €34 $5"), re.findall(r"\w+(?=,)", "a,b c,"), re.findall(r"\b\w+\b(?!,)", "a,b c,"))
print(re.findall(r"(\w)\1", "aabbcd"), re.findall(r"(?P<q>['\"])(.*?)(?P=q)", "'a' \"b'c\" 'd'"), re.match(r"(<)?\w+(?(1)>|$)", "<ab>"), re.match(r"(<)?\w+(?(1)>|$)", "ab>"))
print(re.match(r"(?>a+)ab", "aaab"), re.match(r"a++b", "aaab"), re.match(r"a*?b", "aab"), re.match(r"a{2}", "aaa"), re.match(r"a{,2}", "aaa"), re.match(r"a{1,}?", "aaa"), re.match(r"a{x}", "a{x}"), re.match(r"a{}", "a{}"), re.match(r"a{1,2,3}", "a{1,2,3}"))
print(re.findall(r"[]a]", "]ab"), re.findall(r"[^]a]", "]ab"), re.findall(r"[a\-z]", "a-bz"), re.findall(r"[a-]", "a-b"), re.findall(r"[\w.-]+", "x.y-z w"), re.findall(r"[\]\\^]", "]\\^"), re.findall("[&|~-]", "a&b|c~d-e"))
print(re.findall(r"\x41|\101|\0|\t", "A\0\tB"), re.findall(r"[\x41-\x43\n]", "ABCD\n"), re.findall(r"[\b]", "a\bb"), re.findall(r"\.\*\+\?\{\}\/\-\#\ ", ".*+?{}/-# "))
print(re.findall(r"(?#what it is)a(?#more)b", "ab"), re.findall("", "ab"), re.findall("|a", "aab"), re.findall(r"()", "x"), re.findall(r"(a)|(b)", "abc"), re.findall(r"(a)|b", "ab"))

# ---- Bytes ----
data = b"key=\xff\x00val; k2=v2"
print(re.findall(rb"(\w+)=([^;]*)", data), re.search(b"\xff", data).span(), re.split(b"; ?", data), re.sub(rb"\W", b".", data))
for wrong in (lambda: re.search("a", b"a"), lambda: re.search(b"a", "a"), lambda: re.search("a", 5), lambda: re.search("a", None), lambda: re.compile(5), lambda: re.compile(re.compile("a"), re.I)):
    try:
        wrong()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)

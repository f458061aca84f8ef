# The methods of str.
s = "The quick brown fox"
print(s.upper(), s.lower(), s.title(), s.swapcase(), s.capitalize(), s.casefold())
print(s.find("quick"), s.find("z"), s.rfind("o"), s.index("o"), s.count("o"), s.startswith("The"), s.endswith(("dog", "fox")), s.startswith("quick", 4))
print(s.split(), s.split("o"), s.split(" ", 1), s.rsplit(" ", 1), "a,b,,c".split(","), "  a  b ".split(), "".split(), "".split(","), "a\nb\r\nc".splitlines(), "a\nb\n".splitlines(True))
print("-".join(["a", "b"]), "".join("xyz"), s.replace("o", "0"), s.replace("o", "0", 1), "aaa".replace("", "-"))
print("  x ".strip() + "|", "  x ".lstrip() + "|", "  x ".rstrip() + "|", "xxaxx".strip("x"), "abcba".lstrip("ab"), "path/".rstrip("/"))
print("ab".center(6, "*"), "ab".ljust(5, ".") + "|", "ab".rjust(5) + "|", "42".zfill(5), "-42".zfill(5))
print("abc".isalpha(), "123".isdigit(), "a1".isalnum(), " ".isspace(), "Ab".isupper(), "ab".islower(), "1.5".isnumeric(), "".isalpha(), "Title Case".istitle(), "a_1".isidentifier())
print("k=v=w".partition("="), "k=v=w".rpartition("="), "none".partition("="), "prefix_x".removeprefix("prefix_"), "x.py".removesuffix(".py"))
print("a\tb".expandtabs(4), "abc"[::-1], "abc"[1:], "abc"[-2:], "abc"[5:], "hello"[1:4:2], "abc" * 2, "b" in "abc", "abc" < "abd", "a" + "b")
print("x".encode(), "é".encode("utf-8"), b"abc".decode(), len("héllo"), ord("é"), chr(8364), "héllo".upper(), "ß".upper())
table = str.maketrans("ab", "xy")
print("aabbc".translate(table), "abc".maketrans({"a": "1"}))
print(min("hello"), max("hello"), sorted("hello"), list(enumerate("ab")), "a" "b", 'single' "double", """tri"ple""")
print("\x41\u00e9\101\a".encode(), r"\n", "tab\tend", "line\\n", "a\
b")
print("日本語"[1], len("日本語"), "日本語".encode("utf-8")[:3], "😀"[0], len("😀"), "naïve".find("v"))

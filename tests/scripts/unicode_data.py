# Texts in one form, and kinds of characters.
import random
import unicodedata


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


def plain(text):
    letters = unicodedata.normalize("NFD", text)
    return "".join(c for c in letters if unicodedata.category(c) != "Mn")


print(plain("\u015alus\u00e0rski"), plain("B\u00e9ringer"), plain("\u1ec6 na\u00efve"), plain("plain"))
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    for text in ("\u00e9", "e\u0301", "\ufb01", "\u00bd", "\ud55c\uae00", "\u1112\u1161\u11ab", "\u212b", "q\u0307\u0323",
                 "\u0958", "\u1e9b\u0323", "\uff21", "a\u0323\u0308b", "\u0308", ""):
        made = unicodedata.normalize(form, text)
        print(form, ascii(text), ascii(made), unicodedata.is_normalized(form, text))
print([unicodedata.category(c) for c in "Aa1 _-$+\u0301\u00aa\u2028\u4e2d\ud55c\U0001f600\x00\u200b"])
print([unicodedata.combining(c) for c in "a\u0301\u0323\u0345\u05b0"])

# A number for all characters, and for rows of them.
total = 0
for code in [*range(0x3400), *range(0xab00, 0xd7b0, 7), *range(0xf900, 0x10000), *range(0x1d100, 0x1d200)]:
    if not 0xd800 <= code < 0xe000:
        c = chr(code)
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            for each in unicodedata.normalize(form, c):
                total = (total * 31 + ord(each)) % 1000000007
        total = (total * 31 + ord(unicodedata.category(c)[1]) + unicodedata.combining(c)) % 1000000007
print(total)
draw = random.Random(0)
pool = "aeiou\u0300\u0301\u0308\u0323\u0327\u0345\u00e9\u1e69\u0fb2\u0f71\u0f80\u1100\u1161\u11a8\uac00\u0915\u093c\u0b47\u0b56"
for _ in range(300):
    text = "".join(draw.choice(pool) for _ in range(12))
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        for each in unicodedata.normalize(form, text):
            total = (total * 31 + ord(each)) % 1000000007
print(total)
attempt(lambda: unicodedata.normalize("X", "a"))
attempt(lambda: unicodedata.normalize("NFC", 5))
attempt(lambda: unicodedata.category("ab"))
attempt(lambda: unicodedata.category(5))
attempt(lambda: unicodedata.combining(""))

"""Regular expressions: replacing, splitting, escaping, and matches one by one."""
import copy
import re

# ---- Replacing ----
print(re.sub(r"\d+", "#", "a1b22c"), re.sub(r"\d+", "#", "a1b22c", count=1), re.subn(r"\d", "", "a1b22c"), re.sub("x", "y", "abc"))
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub(r"(?P<a>\w)(?P<b>\w)", r"\g<b>\g<a>\g<0>\g<1>0", "abcd"))
print(re.sub(r"(a)|(b)", r"[\1\2]", "abc"), repr(re.sub("a", r"\n\t\\\\x", "a")), repr(re.sub("a", "\\0\\07\\101", "a")), re.sub("a", r"\.\-", "a"))
print(re.sub(r"\d+", lambda m: str(int(m.group()) * 2), "3 apples, 12 pears"), re.sub("x*", "-", "abxd"), re.sub(r"\b", "|", "ab cd"), re.sub("^", "> ", "a\nb", flags=re.M))
print(re.sub("", "-", "äö"), re.sub("ö", lambda m: f"{m.start()}", "aöbö"), re.sub("a", "", "aaa"), re.sub("(?:)", ".", ""), re.subn("b*", "x", "abc", 2))
print(re.sub("a", lambda m: "\\1", "a"), re.sub(r"(.)", lambda m: m[1].upper(), "xyz"), re.compile("(a)(b)?").sub(r"<\2>", "ab a"))
for template in (r"\2", r"\g<2>", r"\g<x>", r"\g<1", r"\g1", r"\q", r"\g<>", r"\g<-1>", r"\400", "\\"):
    try:
        print(template, re.sub("(a)", template, "a"))
    except (re.error, IndexError) as e:
        print(template, type(e).__name__, e)
try:
    re.sub("a", 5, "a")
except TypeError as e:
    print("TypeError")
try:
    re.sub("a", lambda m: 1 / 0, "a")
except ZeroDivisionError as e:
    print("ZeroDivisionError:", e)
m = re.match(r"(\w+)@(\w+)?", "me@")
print(m.expand(r"\1 at \2."), m.expand(r"\g<1>\n") == "me\n")

# ---- Splitting ----
print(re.split(r"[,;]", "a,b;c"), re.split(r"([,;])", "a,b;c"), re.split(r"\s", "a b  c"), re.split(",", ""), re.split(r"(x)|(y)", "1x2y3"))
print(re.split(r",", "a,b,c", maxsplit=1), re.split(r"(?=b)", "abab"), re.split("", "abc"), re.split("x*", "axbc"), re.split(r"\b", "hi you"), re.split(",", "a,b", -1))
print(re.split(r"[\W_]+", "snake_case and-kebab"), re.compile("-").split("a-b-c", 1))

# ---- One by one ----
for m in re.finditer(r"(\w)(\d)?", "a1 b c3"):
    print(m, m.groups(), m.lastindex)
found = re.finditer("a", "banana")
print(next(found).start(), [m.start() for m in found], next(found, "none"))
print(sum(m.end() for m in re.finditer("a|b*", "ab cä" * 300)), len(list(re.finditer("x*", "ä" * 1000))), len([1 for m in re.finditer("", "a" * 400)]))
print([m.span() for m in re.compile("a*").finditer("baac", 1)], [m.span() for m in re.compile("a").finditer("banana", 2, 5)])
print([(m.lastgroup, m.group()) for m in re.finditer(r"(?P<number>\d+(?:\.\d*)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>[-+*/=()])", "x1 = 3.5*(y - 2)")])

# ---- Escaping ----
print(re.escape("a.b*c [x] #1 ~&-_/<>\n\t"), re.escape(b"\x00.a"), re.escape("äö 日"), re.match(re.escape("a+b?"), "a+b?").group())
p = re.compile("a(b)")
print(copy.copy(p) is p, copy.deepcopy(p) is p, p.pattern, isinstance(p, re.Pattern), isinstance(p.match("ab"), re.Match), re.purge())
if m := re.match(r"(\d+)-(\d+)", "10-20"):
    low, high = map(int, m.groups())
    print(high - low)


# ---- As scripts use them ----
class Tokenizer:
    """Words and marks, as books on language models begin."""

    def __init__(self, text):
        words = [item.strip() for item in re.split(r'([,.:;?_!"()\']|--|\s)', text) if item.strip()]
        self.number_of = {word: number for number, word in enumerate(sorted(set(words)) + ["<|unk|>"])}
        self.word_of = {number: word for word, number in self.number_of.items()}

    def encode(self, text):
        words = [item.strip() for item in re.split(r'([,.:;?_!"()\']|--|\s)', text) if item.strip()]
        return [self.number_of.get(word, self.number_of["<|unk|>"]) for word in words]

    def decode(self, numbers):
        text = " ".join(self.word_of[number] for number in numbers)
        return re.sub(r'\s+([,.:;?!"()\'])', r"\1", text)


tokenizer = Tokenizer('"It\'s the last he painted, you know," Mrs. Gisburn said -- with pardonable pride.')
numbers = tokenizer.encode('"It\'s the last pride, you know," he said.')
print(numbers, tokenizer.decode(numbers))
steps = {int(m[1]): float(m[2]) for m in re.finditer(r"step (\d+): loss ([\d.]+)", "step 0: loss 4.17\nstep 10: loss 2.5\n")}
print(steps, re.sub(r"(?<!^)(?=[A-Z])", "_", "CamelCaseName").lower(), re.sub(r"_(\w)", lambda m: m.group(1).upper(), "snake_case_name"))
long = "ab " * 20000
print(len(re.findall(r"\w+", long)), len(re.sub(r"\s+", "", long)), re.match(r"(?:ab )*$", long).end(), len(re.split(" ", "ä " * 5000)))

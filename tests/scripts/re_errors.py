"""What is no regular expression, in CPython's words."""
import re

for pattern in ("(", ")", "a)", "(a", "[", "[a", "[b-a]", "[a-\\d]", "*", "a**", "a+*", "a{2}{3}", "a{3,2}", "^*", "\\b+", "|*", "(?", "(?P", "(?P<", "(?P<a", "(?P<>a)", "(?P<1>a)", "(?P<a>x)(?P<a>y)", "(?P=a)", "(?P=a", "(?Px)", "(?z)", "(?<a)", "(?<", "(?#a", "\\", "\\q", "[\\q]", "\\x1", "\\xzz", "\\u12", "\\1", "(a)\\2", "(a\\1)", "(?(1)a)", "(?(x)a)", "(?()a)", "(?(0)a)", "(a)(?(1)b|c|d)", "(?<=a*)b", "(?<=a|bc)d", "a(?i)b", "(?i", "(?i-", "(?-i)", "(?i-i:a)", "(?iz)", "(?-z:a)", "(?L)a", "(?au)b", "\\400", "[\\400]", "[\\8]", "a\n(b", "(?P<a-b>x)", "(?<=(a)\\1)b", "x{99999999999}", "ab(c|d", "\\N", "a???", "(?:a", "(?=", "(?i:a", "\\Ux"):
    try:
        found = re.compile(pattern)
        print(repr(pattern), "is one:", found.groups)
    except re.error as e:
        print(repr(pattern), "|", e, "|", e.msg, e.pos, e.lineno, e.colno, e.pattern == pattern)
    except OverflowError as e:
        print(repr(pattern), "OverflowError", e)
for flags in (re.L, re.A | re.U):
    try:
        re.compile("a", flags)
    except ValueError as e:
        print("ValueError:", e)
try:
    re.compile(b"a", re.U)
except ValueError as e:
    print("ValueError:", e)
print(issubclass(re.error, Exception), re.error("msg"), re.error("msg", "abc", 1))

# ast.literal_eval: the values of literals, and that nothing else is read.
import ast


def told(text):
    try:
        value = ast.literal_eval(text)
        print(repr(text), "->", repr(value), type(value).__name__)
    except (ValueError, SyntaxError, TypeError) as error:
        print(repr(text), "->", type(error).__name__, str(error).split(": ")[0] if isinstance(error, ValueError) else "")


for text in ("1", "-1", "+1", "--2", "1.5", "1e-3", ".5", "5.", "1_000", "0x1F", "0b101", "0o17", "1e5", "-0.0", "True", "False", "None", "'a'",
             '"a\\n\\u00e9"', "r'\\n'", "b'ab'", "b'a' b'b'", "'a' \"b\"", "'''a\nb'''", "u'x'", "[]", "[1]", "[1, 2,]", "()", "(1)", "(1,)", "(1, 2)", "1, 2",
             "1,", "{}", "{1: 2}", "{'a': [1, (2, {3})], 'b': {}}", "{1, 2}", "{1,}", "set()", " [1]", "\t1", "[\n1,\n2\n]", "{'x': -1.5e-3, 'y': None}",
             "x", "gpt2", "out-shakespeare", "print(1)", "1 + 2", "[x]", "{x: 1}", "a.b", "f'{1}'", "lambda: 0", "[1 for i in ()]", "1 if 1 else 2", "__import__('os')",
             "not 1", "~1", "1 < 2", "set(1)", "'a' + 'b'", "[*[1]]", "-'a'", "-True", "{1: 2, 3}", "[1, 2", "1 2", "", "a b", "'a", "[1,,2]", "x = 1", "  ", "1;2",
             "{[]: 1}", "0_1", "01", "...", "[1][0]"):
    told(text)
for value in (5, None, [1]):
    try:
        print(ast.literal_eval(value))
    except ValueError as error:
        print(error)

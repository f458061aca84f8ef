# A small program: a tokenizer, a parser and an evaluator for arithmetic.
class Number:
    def __init__(self, value):
        self.value = value

    def run(self, names):
        return self.value


class Name:
    def __init__(self, name):
        self.name = name

    def run(self, names):
        if self.name not in names:
            raise NameError(f"unknown {self.name}")
        return names[self.name]


class Binary:
    operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": lambda a, b: a**b}

    def __init__(self, op, left, right):
        self.op, self.left, self.right = op, left, right

    def run(self, names):
        return Binary.operations[self.op](self.left.run(names), self.right.run(names))


def tokens(text):
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < len(text) and (text[j].isdigit() or text[j] == "."):
                j += 1
            yield "number", text[i:j]
            i = j
        elif c.isalpha():
            j = i
            while j < len(text) and text[j].isalnum():
                j += 1
            yield "name", text[i:j]
            i = j
        else:
            yield "op", c
            i += 1
    yield "end", ""


class Parser:
    precedence = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def parse(self, least=0):
        kind, text = self.take()
        if kind == "number":
            left = Number(float(text) if "." in text else int(text))
        elif kind == "name":
            left = Name(text)
        elif text == "(":
            left = self.parse()
            assert self.take()[1] == ")"
        elif text == "-":
            left = Binary("-", Number(0), self.parse(2))
        else:
            raise SyntaxError(f"unexpected {text!r}")
        while self.tokens[self.at][0] == "op" and self.precedence.get(self.tokens[self.at][1], -1) > least:
            op = self.take()[1]
            left = Binary(op, left, self.parse(self.precedence[op] - (op == "^")))
        return left


for text in ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "10 / 4 - x", "-x * 2", "y + 1", "1 + )"]:
    try:
        print(text, "=", Parser(text).parse().run({"x": 2}))
    except (NameError, SyntaxError) as error:
        print(text, type(error).__name__, error)

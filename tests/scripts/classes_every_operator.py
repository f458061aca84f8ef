"""Each operator of a class calls the method of its name: of the left side, of the right side, in place."""
NAMES = ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"]


def naming(name):
    return lambda self, other: f"{self.label}.{name}({getattr(other, 'label', other)})"


def class_of(prefixes):
    made = type("Made", (), {f"__{prefix}{name}__": naming(prefix + name) for prefix in prefixes for name in NAMES})
    made.__init__ = lambda self, label: setattr(self, "label", label)
    return made


class Left:
    def __init__(self, label):
        self.label = label

    def __add__(self, other): return self.label, "add", other
    def __sub__(self, other): return self.label, "sub", other
    def __mul__(self, other): return self.label, "mul", other
    def __matmul__(self, other): return self.label, "matmul", other
    def __truediv__(self, other): return self.label, "truediv", other
    def __floordiv__(self, other): return self.label, "floordiv", other
    def __mod__(self, other): return self.label, "mod", other
    def __pow__(self, other): return self.label, "pow", other
    def __divmod__(self, other): return self.label, "divmod", other
    def __lshift__(self, other): return self.label, "lshift", other
    def __rshift__(self, other): return self.label, "rshift", other
    def __and__(self, other): return self.label, "and", other
    def __or__(self, other): return self.label, "or", other
    def __xor__(self, other): return self.label, "xor", other
    def __lt__(self, other): return self.label, "lt", other
    def __le__(self, other): return self.label, "le", other
    def __eq__(self, other): return self.label, "eq", other
    def __ne__(self, other): return self.label, "ne", other
    def __gt__(self, other): return self.label, "gt", other
    def __ge__(self, other): return self.label, "ge", other


def all_of(a, b):
    return [a + b, a - b, a * b, a @ b, a / b, a // b, a % b, a ** b, a << b, a >> b, a & b, a | b, a ^ b]


def all_in_place(a, b):
    results = []
    c = a; c += b; results.append(c)
    c = a; c -= b; results.append(c)
    c = a; c *= b; results.append(c)
    c = a; c @= b; results.append(c)
    c = a; c /= b; results.append(c)
    c = a; c //= b; results.append(c)
    c = a; c %= b; results.append(c)
    c = a; c **= b; results.append(c)
    c = a; c <<= b; results.append(c)
    c = a; c >>= b; results.append(c)
    c = a; c &= b; results.append(c)
    c = a; c |= b; results.append(c)
    c = a; c ^= b; results.append(c)
    return results


plain, both, in_place = class_of([""]), class_of(["", "r"]), class_of(["", "i"])
for _ in range(3):
    x = Left("x")
    print(all_of(x, 1), divmod(x, 1), x < 1, x <= 1, x == 1, x != 1, x > 1, x >= 1)
    print(all_in_place(x, 2))
    print(all_of(plain("p"), plain("q")))
    print(all_of(1, both("r")))
    print(all_in_place(1, both("r")))
    print(all_in_place(plain("p"), 3))
    print(all_in_place(in_place("i"), 3))
for operation in (lambda a, b: a << b, lambda a, b: a | b, lambda a, b: a & b, lambda a, b: a ^ b, lambda a, b: a >> b):
    try:
        operation(object(), 1)
    except TypeError as e:
        print(e)

# How values turn into text, in containers and alone.
class A:
    def __repr__(self):
        return "A()"


class B(A):
    def __str__(self):
        return "a B"


class C:
    def __str__(self):
        return "only str"

    def __format__(self, spec):
        return f"<{spec}>"


print(A(), B(), C(), [A(), B()], {A.__name__: A()}, (B(),), {1: B()})
print(f"{A()} {B()} {B()!r} {B()!s} {C():>10} {A()!r:>6}|")
print(str(B()), repr(B()), "%s %r" % (B(), B()), "{} {!r}".format(B(), B()))
a = [1, [2, 3]]
a.append(a)
print(a)
d = {}
d["self"] = d
print(d)
print(int, str, A.__name__, type(None), NotImplemented, Ellipsis, print, len)
print(range(5), range(1, 10, 2), slice(1, 2), slice(None, 3, -1), set(), frozenset([1]), {1})
print((1,), (), [], {}, "it's", 'say "hi"', "both ' and \"", "tab\there", b"bytes\x00'", True, None)
print(["it's", 'say "hi"', "new\nline", "back\\slash", "\x1b\x7f", "é", "\u200b"])

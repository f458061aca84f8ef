# Special methods that few classes have: __getattribute__ beside __getattr__, __delete__, __divmod__,
# a power with a modulus, __index__ wherever an int stands.
import torch


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


class Number:
    def __init__(self, value):
        self.value = value

    def __divmod__(self, other):
        return ("divmod", self.value, other)

    def __rdivmod__(self, other):
        return ("rdivmod", other, self.value)

    def __pow__(self, other, modulus=None):
        return ("pow", self.value, other, modulus)

    def __index__(self):
        return self.value


class Later(Number):
    def __rdivmod__(self, other):
        return ("later", self.value)


class Refuses:
    def __repr__(self):
        return "Refuses()"

    def __divmod__(self, other):
        return NotImplemented

    def __floordiv__(self, other):
        return 1

    def __mod__(self, other):
        return 2


two = Number(2)
attempt(lambda: divmod(two, 3))
attempt(lambda: divmod(7, two))
attempt(lambda: divmod(two, Later(5)))
attempt(lambda: divmod(Refuses(), 3))
attempt(lambda: divmod(Refuses(), two))
attempt(lambda: divmod("a", 3))
attempt(lambda: pow(two, 3, 5))
attempt(lambda: pow(two, 3))
attempt(lambda: pow(3, two, 5))
attempt(lambda: pow(3, 2.0, 5))
attempt(lambda: pow(Refuses(), 3, 5))

attempt(lambda: ([1, 2, 3][two], "abc"[two], (1, 2, 3)[:two], range(10)[two], [0] * two, hex(two)))
x = torch.arange(6)
attempt(lambda: (x[two], x[:two], x.view(2, 3)[1, two], x[two:][two]))
attempt(lambda: x[1.5])


# Both hooks: the second has the word where the first finds nothing.
class Hooked:
    count = 0

    def __init__(self):
        self.own = 1

    def __getattribute__(self, name):
        Hooked.count += 1
        if name == "secret":
            return "hidden"
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        if name == "last":
            raise AttributeError("nothing at all")
        return name.upper()


class Inherited(Hooked):
    def __getattribute__(self, name):
        return super().__getattribute__(name)


for cls in (Hooked, Inherited):
    hooked = cls()
    print(hooked.own, hooked.secret, hooked.other, getattr(hooked, "more"), hasattr(hooked, "last"))
    attempt(lambda: hooked.last)
    attempt(lambda: getattr(hooked, "last", "default"))
    hooked.own += 1
    print(hooked.own, hooked.__class__.__name__)
print(Hooked.count > 10, object.__getattribute__(two, "value"))
attempt(lambda: object.__getattribute__(two, "nothing"))


@torch.compile(backend="eager")
def reads(holder, x):
    return x * holder.own + len(holder.unknown)


for i in range(3):
    hooked = Hooked()
    hooked.own = i
    print(reads(hooked, torch.ones(2)))


class Descriptor:
    def __get__(self, instance, owner):
        return "got"

    def __set__(self, instance, value):
        print("set", value)

    def __delete__(self, instance):
        print("delete")


class OnlySet:
    def __set__(self, instance, value):
        print("set", value)


class OnlyDelete:
    def __delete__(self, instance):
        print("delete")


class Holder:
    full = Descriptor()
    only_set = OnlySet()
    only_delete = OnlyDelete()

    @property
    def plain(self):
        return 1


def delete(holder, name):
    delattr(holder, name)


def change(holder, name):
    setattr(holder, name, 5)


holder = Holder()
for name in ("full", "only_set", "only_delete", "plain", "absent"):
    attempt(lambda: change(holder, name))
    attempt(lambda: delete(holder, name))
holder.full = 3
del holder.full
print(holder.full)


def local():
    class Inner:
        @property
        def ready(self):
            return 1

    del Inner().ready


attempt(local)


def counter():
    count = 1

    def read():
        return count

    read.__closure__[0].cell_contents = 5
    return read()


print(counter(), __doc__, __spec__)
attempt(lambda: torch.add(torch.tensor([1]), 1, alpha=True))
attempt(lambda: torch.add(torch.tensor([True]), True, alpha=True))
attempt(lambda: torch.sub(torch.tensor([1.5]), torch.tensor([True]), alpha=True))
attempt(lambda: torch.arange(float("inf")))
attempt(lambda: torch.manual_seed("a"))
torch.manual_seed("7")
print(torch.rand(2))

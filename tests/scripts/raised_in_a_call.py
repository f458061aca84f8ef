# What an exception interrupts is released when the handler begins: operands and receivers of calls.
class Held:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("released", self.name)

    def method(self, *values):
        return self


def receiver():
    items = [Held("item")]
    try:
        items.append(1 / 0)
    except ZeroDivisionError:
        pass
    del items
    print("end of receiver")


def operands():
    for i in range(2):
        try:
            print(Held(f"operand {i}"), 1 / 0)
        except ZeroDivisionError:
            print("caught")
    print("end of operands")


def chained():
    try:
        Held("first").method(2).method(3, int("x"))
    except ValueError:
        print("caught")
    print("end of chained")


def displays():
    try:
        [{"key": Held("in a dict")}, 1 / 0]
    except ZeroDivisionError:
        print("caught")


def kept():
    around = []
    for each in [Held("kept by the loop")]:
        with open("/dev/null") as file:
            try:
                around.append((each.name, Held("lost"), int("x")))
            except ValueError:
                print("caught", each.name, file.closed)
            finally:
                print("finally")
    print("end of kept", around)


def final():
    try:
        try:
            Held("temporary").method(1 / 0)
        finally:
            print("finally")
    except ZeroDivisionError as error:
        print(type(error).__name__)


def generator():
    for each in range(2):
        try:
            yield Held(f"yielded {each}").method(None).name
            Held("behind").method(1 // 0)
        except ZeroDivisionError:
            print("caught")


items = [Held("of the module")]
try:
    items.append(1 / 0)
except ZeroDivisionError:
    pass
del items
print("end of the module's")
for function in (receiver, operands, chained, displays, kept, final):
    function()
for name in generator():
    print(name)

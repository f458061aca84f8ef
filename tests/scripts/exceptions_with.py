# with: entry and exit, suppression, several managers, contextmanager.
from contextlib import contextmanager, nullcontext, suppress


class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, kind, value, traceback):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.swallow


with Manager("a") as a:
    print("body", a)
with Manager("b", swallow=True):
    raise ValueError("swallowed")
with Manager("c") as c, Manager("d") as d:
    print(c, d)
try:
    with (Manager("e"), Manager("f")):
        raise KeyError("through")
except KeyError as error:
    print("caught", error)


def early():
    with Manager("g"):
        return "returned"


print(early())
for i in range(3):
    with Manager(i):
        if i == 1:
            break


@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as error:
        print("handled", error)
    finally:
        print(f"</{name}>")


with tag("p") as upper:
    print(upper)
with tag("q"):
    raise ValueError("inside")
with nullcontext(5) as five, suppress(ZeroDivisionError):
    print(five)
    1 / 0
print("end")
try:
    with 5:
        pass
except TypeError as error:
    print(error)

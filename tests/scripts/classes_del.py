# __del__: when the last reference goes, once, errors ignored, objects that come back.


class Named:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone:", self.name)


def scope():
    x = Named("local")
    print("in scope")


scope()
print("after scope")


def loop():
    for i in range(3):
        x = Named(i)
    print("loop done")


loop()
held = [Named("in list")]
held.clear()
held = {"k": Named("in dict")}
del held["k"]
kept = []


class Returns:
    def __del__(self):
        kept.append(self)
        print("returns")


def make():
    Returns()


make()
print(len(kept))
kept.clear()
print(len(kept))


def cycle():
    x = Named("cycle")
    x.me = x


import gc

cycle()
gc.collect()
print("collected")


class Fails:
    def __del__(self):
        raise ValueError("ignored")


def within():
    try:
        raise KeyError("outer")
    except KeyError as error:
        Named("while handling")
        print("still", repr(error))
    return [Named("argument").name, sum(n for n in (1, 2))]


print(within())


def key(x):
    Named(f"key {x}")
    return -x


print(sorted([1, 3, 2], key=key))


class Child(Named):
    pass


def inherit():
    Child("child")
    print("returned")


inherit()
last = Named("at the end of the script")
print("end")

# option: --compile
# What is inside of objects, read as values with every call compiled: names, defaults, classes' names.
import torch


class Thing:
    kind = "plain"

    def __init__(self):
        self.level = 2

    def method(self):
        return 1


class Listed(Thing):
    def __dir__(self):
        return ["one", "two"]


thing, listed = Thing(), Listed()
x = torch.ones(1)


def own_names(o):
    return [name for name in dir(o) if not name.startswith("_")]


def names(x):
    return x + len(own_names(thing)), own_names(thing), own_names(listed)


def attributes(x):
    return x * vars(thing)["level"] + len(vars(thing)), sorted(vars(thing))


def class_name(x, o):
    return x + len(type(o).__name__), type(o).__name__, o.__class__.__qualname__, o.kind


def scaled(t, by=2, *, more=1):
    return t * by + more


def defaults(x):
    return x + scaled.__defaults__[0], scaled(x), scaled.__defaults__, scaled.__name__


def show(result):
    print([each.tolist() if isinstance(each, torch.Tensor) else each for each in result])


for change in (None, lambda: setattr(thing, "extra", 1), lambda: setattr(Thing, "shared", 1),
               lambda: delattr(thing, "extra"), lambda: setattr(thing, "level", 5),
               lambda: setattr(scaled, "__defaults__", (7,)), lambda: setattr(Thing, "kind", "new"),
               lambda: setattr(Thing, "__name__", "Renamed")):
    if change:
        change()
    for _ in range(2):
        show(names(x))
        show(attributes(x))
        show(class_name(x, thing))
        show(class_name(x, listed))
        show(defaults(x))

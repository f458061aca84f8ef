# `types.MappingProxyType`, a mapping that nobody writes.
import types

source = {"lr": 0.1, "momentum": 0.9}
shown = types.MappingProxyType(source)
print(shown, repr(shown), len(shown), "lr" in shown, list(shown), list(reversed(shown)))
source["decay"] = 0.0
print(shown["decay"], shown.get("x"), shown.get("x", 1), sorted(shown.items()), list(shown.keys()), list(shown.values()))
print(shown == source, shown == types.MappingProxyType(dict(source)), shown | {"a": 1}, {"a": 1} | shown)
print({**shown}, dict(shown), shown.copy() is source, type(shown).__name__)


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


def write():
    shown["lr"] = 1


def remove():
    del shown["lr"]


attempt(write)
attempt(remove)
attempt(lambda: shown["absent"])
attempt(lambda: types.MappingProxyType(3))
attempt(lambda: types.MappingProxyType([1]))

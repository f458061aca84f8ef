# References that keep nothing alive: ref, dictionaries and sets of them, finalize.
import gc
import weakref

import torch
from torch import nn


class Node:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Node({self.name})"

    def hello(self):
        return "hello " + self.name


a = Node("a")
r = weakref.ref(a)
print(r() is a, r == weakref.ref(a), r is weakref.ref(a), hash(r) == hash(a), type(r).__name__, isinstance(r, weakref.ref), weakref.ref is weakref.ReferenceType)
print(weakref.getweakrefcount(a), weakref.getweakrefs(a) == [r])
del a
gc.collect()
print(r(), r == weakref.ref(Node))
called = []
b = Node("b")
first = weakref.ref(b, lambda ref: called.append(("first", ref())))
second = weakref.ref(b, lambda ref: called.append(("second", ref is second)))
print(first is second, first == second, first.__callback__ is not None)
b = None
gc.collect()
print(called)

for value in (1, "text", [1], {}, (1,), None, 2.5):
    try:
        weakref.ref(value)
    except TypeError as error:
        print(error)


class Table(dict):
    pass


for value in (Table(), {1, 2}, frozenset({3}), Node, print, len, lambda: 0, (i for i in ()), weakref):
    print(weakref.ref(value)() is value, end=" ")
print()

cache = weakref.WeakValueDictionary()
x, y = Node("x"), Node("y")
cache["x"], cache["y"] = x, y
print(len(cache), sorted(cache), cache["x"], cache.get("z", 0), "x" in cache, sorted(k for k, _ in cache.items()))
del x
gc.collect()
print(len(cache), list(cache), "x" in cache, cache.get("x"), list(cache.values()))
try:
    cache["x"]
except KeyError as error:
    print("KeyError", error)
print(cache.setdefault("y", None), cache.pop("y"), len(cache))

notes = weakref.WeakKeyDictionary()
k1, k2 = Node("k1"), Node("k2")
notes[k1], notes[k2] = 1, 2
print(len(notes), notes[k1], k2 in notes, Node("k1") in notes, sorted(notes.values()), notes.get(Node("?"), "none"))
k1 = None
gc.collect()
print(len(notes), list(notes), dict(notes.items()) == {k2: 2})
del notes[k2]
print(len(notes))

members = weakref.WeakSet()
m1, m2 = Node("m1"), Node("m2")
members.add(m1)
members.add(m2)
members.add(m2)
print(len(members), m1 in members, sorted(m.name for m in members))
m1 = None
gc.collect()
print(len(members), [m.name for m in members])
members.discard(m2)
print(len(members))

n = Node("n")
method = weakref.WeakMethod(n.hello)
print(method()(), method() == n.hello)
n = None
gc.collect()
print(method())

o = Node("o")
finalizer = weakref.finalize(o, print, "gone", "o", sep=":")
print(finalizer.alive, finalizer.peek()[0] is o)
o = None
gc.collect()
print(finalizer.alive, finalizer())
p = Node("p")
early = weakref.finalize(p, lambda: "result")
print(early(), early.alive, early())
q = Node("q")
detached = weakref.finalize(q, print, "never")
print(detached.detach()[1] is print, detached.alive)


class Loop:
    pass


loop = Loop()
loop.me = loop
known = weakref.ref(loop, lambda _: print("the cycle is gone"))
del loop
gc.collect()
print(known())


class Parent:
    def __init__(self):
        self.children = []

    def add(self):
        child = Node("child")
        child.parent = weakref.ref(self)
        self.children.append(child)
        return child


parent = Parent()
child = parent.add()
print(child.parent() is parent)
parent = None
gc.collect()
print(child.parent())

t = torch.ones(3)
tr = weakref.ref(t)
print(tr() is t, weakref.ref(t) is tr)
del t
gc.collect()
print(tr())
layer = nn.Linear(2, 2)
lr, wr = weakref.ref(layer), weakref.ref(layer.weight)
print(lr() is layer, wr() is layer.weight)
per_layer = weakref.WeakKeyDictionary({layer: "linear"})
print(per_layer[layer])
layer = None
gc.collect()
print(lr(), wr(), len(per_layer))


def keeps_its_variables(given):
    kept = Node("kept")
    known = [weakref.ref(kept), weakref.ref(given)]
    alive = [Node(str(i)) for i in range(3)]
    known += [weakref.ref(each) for each in alive]
    gc.collect()
    for each in alive:
        gc.collect()
        assert weakref.ref(each)() is each
    return [each() for each in known], weakref.ref(Node("temporary"))()


print(keeps_its_variables(Node("given")))
print([weakref.ref(each)().name for each in [Node("in"), Node("list")]], max([Node("b"), Node("c")], key=lambda n: (gc.collect(), n.name)[1]))


def generated():
    held = Node("held")
    known = weakref.ref(held)
    for i in range(2):
        gc.collect()
        yield known()


print(list(generated()), {**{"k": Node("v")}, "gc": gc.collect() >= 0}["k"], f"{Node('f')} {gc.collect() >= 0}")
with torch.no_grad():
    gc.collect()
    print(weakref.ref(t := torch.ones(1))() is t)
print(torch.is_grad_enabled())


def failing(_):
    raise ValueError("in a callback")


last = Node("last")
end = weakref.finalize(last, print, "at the end")

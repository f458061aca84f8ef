"""Whether a class is hashable is settled by its body: `__eq__` there without `__hash__`, and not one that comes later."""
class A:
    pass
A.__eq__ = lambda self, o: True
print(hash(A()) is not None, A.__hash__ is object.__hash__)
class B:
    def __eq__(self, o): return True
print(B.__hash__, '__hash__' in B.__dict__)
try: hash(B())
except TypeError as e: print(e)
class C(B): pass
try: hash(C())
except TypeError as e: print(e)
class D(B):
    def __hash__(self): return 3
print(hash(D()))
D.__eq__ = lambda s,o: False
print(hash(D()))
from collections.abc import Hashable
print(isinstance(A(), Hashable), isinstance(B(), Hashable), isinstance(D(),Hashable))
del B.__eq__
try: hash(B())
except TypeError as e: print(e)
from dataclasses import dataclass
@dataclass(frozen=True)
class P:
    x: int
    def __hash__(self): return 7
print(hash(P(1)))
@dataclass(frozen=True)
class Q:
    x: int
    def __eq__(self, o): return True
print(hash(Q(1)) == hash(Q(1)), Q.__dict__['__hash__'] is None)
try:
    @dataclass(unsafe_hash=True)
    class R:
        x: int
        def __hash__(self): return 7
except TypeError as e: print(e)
@dataclass
class S:
    x: int
print(S.__hash__)

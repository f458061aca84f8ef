# Values over several lines.
import io
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from pprint import PrettyPrinter, isreadable, isrecursive, pformat, pp, pprint, saferepr
from types import SimpleNamespace

import torch


@dataclass
class Options:
    name: str
    rates: list = field(default_factory=lambda: [0.1, 0.01, 0.001])
    hidden: int = field(default=3, repr=False)
    inner: object = None


class Named(list):
    pass


class Shown(dict):
    def __repr__(self):
        return "Shown(" + ", ".join(self) + ")" * 3


Point = namedtuple("Point", "x y")
config = {"model": {"layers": 12, "heads": 8, "dropout": 0.1, "activation": "gelu", "norm": "layer_norm"}, "lr": 3e-4,
          "betas": (0.9, 0.95), "tags": ["a", "b"], "nothing": None, 5: {1, 2, 3}, "path": "/some/where/else"}
values = [
    config, list(range(28)), tuple(range(30)), (list(range(30)),), {"b": 1, "a": 2}, [], {}, (), set(), [[]] * 3,
    set(range(28)), frozenset(range(30)), {3: "c", "a": 1, None: 2, 1.5: 4}, [config, config], {"k" * 90: "v" * 90},
    OrderedDict((f"key_{i}", i * 1000) for i in range(10)), defaultdict(int, {f"name_{i}": i for i in range(12)}),
    Counter("abracadabra" * 3 + "xyz"), Counter({f"word_{i}": 20 - i for i in range(12)}), deque(range(28)),
    deque(range(28), maxlen=50), deque(), SimpleNamespace(alpha=list(range(20)), beta="b" * 40),
    Options("first" * 10, inner=Options("second", [1.5] * 20)), Options("short"), Named(range(28)),
    Shown({f"k{i}": i for i in range(28)}), Point(list(range(20)), list(range(20))), torch.Size([1, 2, 3]), torch.ones(2, 2).max(0),
    "a long text of many words that goes on and on, so that it does not fit into one line of eighty characters",
    ["a long text of many words that goes on and on, so that it does not fit into one line of eighty", "b"],
    {"text": "one line\nand another line, which is longer\n" * 3}, "x" * 100, bytes(range(80)), [b"abc" * 30],
    {"weight": torch.arange(3.0), "bias": torch.zeros(2)}, {"a": {"b": {"c": {"d": [1, 2, 3]}}}}, 10 ** 9, -1.5, None,
]
for value in values:
    pprint(value)
for value in [values[i] for i in (0, 1, 3, 13, 17, 25, 30, 31)]:
    pprint(value, indent=4, width=40)
    pprint(value, compact=True, width=50)
    pprint(value, depth=2, width=60)
    pp(value, width=30)
print(pformat(config, sort_dicts=False))
pprint([10 ** 9, {"n": 123456}], underscore_numbers=True)

# What holds itself.
loop = [1, 2]
loop.append(loop)
print(saferepr(loop).split(" with")[0], isrecursive(loop), isreadable(loop), isreadable([1, "a"]), isreadable(object()))
cyclic = {"me": None, "x": list(range(28))}
cyclic["me"] = cyclic
print(pformat(cyclic).split(" with")[0])

stream = io.StringIO()
PrettyPrinter(indent=2, width=20, stream=stream).pprint({"one": [1, 2, 3], "two": "a few words here"})
print(stream.getvalue())
for wrong in ({"indent": -1}, {"depth": 0}, {"width": 0}):
    try:
        PrettyPrinter(**wrong)
    except ValueError as error:
        print(error)

chained = ChainMap({"a": 1}, {"b": list(range(12))})
pprint(chained, width=20)
pprint([chained, True], width=30, underscore_numbers=True)
print(pformat(ChainMap({}), underscore_numbers=True), pformat({"yes": True, "many": 12345}, underscore_numbers=True))

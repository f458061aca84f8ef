# torch.utils._pytree: trees taken apart and put together.
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass

import torch
from torch.utils import _pytree as pytree
from torch.utils._pytree import (TreeSpec, keystr, register_pytree_node, tree_all, tree_any, tree_flatten,
                                 tree_flatten_with_path, tree_leaves, tree_map, tree_map_only, tree_map_with_path,
                                 tree_structure, tree_unflatten)

Point = namedtuple("Point", "x y")
tree = {"a": [1, (2, 3)], "b": Point(4, [5]), "c": None, "d": {}}
leaves, spec = tree_flatten(tree)
print(leaves, tree_unflatten(leaves, spec) == tree, tree_unflatten([x * 2 if x else x for x in leaves], spec))
print(spec)
print(repr(tree_structure([1, {"k": (2,)}])), tree_structure(1), tree_structure(()), tree_structure([[], [1]]))
print(spec.num_leaves, spec.num_nodes, spec.num_children, spec.is_leaf(), spec.type, spec.context, spec.child(0), len(spec.children()))
print(spec == tree_structure(tree), spec == tree_structure([1]), hash(tree_structure([1, 2])) == hash(tree_structure([3, 4])), isinstance(spec, TreeSpec))
print(tree_map(lambda x: x * 2, [1, (2, {"k": 3})]), tree_map(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]}), tree_map(lambda x, y: (x, y), [1, 2], [[3, 4], 5]))
print(tree_leaves([1, [2, [3, []]]]), tree_leaves(5), tree_leaves((1, [2, 3]), is_leaf=lambda x: isinstance(x, list)))
print(tree_map_only(int, lambda x: -x, [1, "a", (2, 3.5)]), tree_map_only((int, str), lambda x: x * 2, [1, "a", 2.5]), tree_map_only(lambda x: x == "a", str.upper, [1, "a"]))
print(tree_any(lambda x: x > 2, [1, [3]]), tree_all(lambda x: x > 2, [1, [3]]), pytree.tree_any_only(int, lambda x: x > 2, [1, "x"]))
for each in (OrderedDict(a=1, b=2), defaultdict(int, {"k": 1}), deque([1, 2], maxlen=3), Point(1, 2), (), [], {}):
    leaves, spec = tree_flatten(each)
    back = tree_unflatten(leaves, spec)
    print(leaves, spec, back == each, type(back).__name__)
pairs, spec = tree_flatten_with_path({"a": [1, 2], "p": Point(3, (4,))})
print([(keystr(path), leaf) for path, leaf in pairs], pairs[0][0])
print(tree_map_with_path(lambda path, x: keystr(path) + str(x), {"a": [1, 2]}))


class Pair:
    def __init__(self, first, second, name):
        self.first, self.second, self.name = first, second, name


print(tree_leaves([Pair(1, 2, "n")])[0].name)
register_pytree_node(Pair, lambda p: ([p.first, p.second], p.name), lambda values, name: Pair(*values, name))
doubled = tree_map(lambda x: x * 2, {"p": Pair(1, [2, 3], "named")})
print(doubled["p"].first, doubled["p"].second, doubled["p"].name, tree_structure(doubled))
try:
    register_pytree_node(Pair, None, None)
except ValueError as error:
    print(error)


@dataclass
class Batch:
    x: torch.Tensor
    y: torch.Tensor
    name: str = "batch"


pytree.register_dataclass(Batch)
moved = tree_map_only(torch.Tensor, lambda t: t + 1, Batch(torch.zeros(2), torch.ones(1)))
print(moved)
state = {"w": torch.ones(2, 2), "steps": [torch.tensor(1), 2]}
print(tree_map(lambda v: v.shape if isinstance(v, torch.Tensor) else v, state))
gradients = tree_unflatten([t * 0.5 for t in tree_leaves({"w": torch.ones(2), "b": torch.ones(1)})], tree_structure({"w": 0, "b": 0}))
print(gradients)
for action in (lambda: tree_unflatten([1], tree_structure([1, 2])), lambda: tree_map(lambda x, y: x, [1, 2], [1]), lambda: tree_map(lambda x, y: x, {"a": 1}, {"b": 1}), lambda: tree_map(lambda x, y: x, [1], (1,)), lambda: tree_unflatten([1], 3)):
    try:
        action()
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)

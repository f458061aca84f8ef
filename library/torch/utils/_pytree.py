"""Trees of containers, taken apart into their leaves and put together again.

    leaves, spec = tree_flatten({"a": [x, y], "b": z})        [x, y, z], and how they hang together
    tree_unflatten([1, 2, 3], spec)                           {"a": [1, 2], "b": 3}
    tree_map(torch.relu, (x, {"y": y}))                       a tree of the results

A node is a tuple, list, dict, named tuple, OrderedDict, defaultdict or deque, and of what a script registers; all
else is a leaf.
"""
import functools as _functools
import warnings as _warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass as _dataclass

NodeDef = namedtuple("NodeDef", "type flatten_fn unflatten_fn flatten_with_keys_fn")
SUPPORTED_NODES = {}


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)


def _register_pytree_node(cls, flatten_fn, unflatten_fn, **keywords):
    _warnings.warn("`torch.utils._pytree._register_pytree_node` is deprecated. "
                   "Please use `torch.utils._pytree.register_pytree_node` instead.", FutureWarning, stacklevel=2)
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, keywords.get("flatten_with_keys_fn"))


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    import dataclasses
    fields = [field.name for field in dataclasses.fields(cls) if field.init]
    names = fields if field_names is None else list(field_names)
    dropped = set() if drop_field_names is None else set(drop_field_names)
    names = [name for name in names if name not in dropped]

    def flatten(value):
        pairs = [(name, getattr(value, name)) for name in names]
        present = [name for name, each in pairs if each is not None]
        absent = [name for name, each in pairs if each is None]
        return [each for name, each in pairs if each is not None], [present, absent]

    def unflatten(values, context):
        present, absent = context
        return cls(**dict(zip(present, values)), **dict.fromkeys(absent))

    def flatten_with_keys(value):
        values, context = flatten(value)
        return [(GetAttrKey(name), each) for name, each in zip(context[0], values)], context

    register_pytree_node(cls, flatten, unflatten, flatten_with_keys_fn=flatten_with_keys)


# ---- Keys of paths ----

@_dataclass(frozen=True)
class SequenceKey:
    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        return sequence[self.idx]


@_dataclass(frozen=True)
class MappingKey:
    key: object

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        return mapping[self.key]


@_dataclass(frozen=True)
class GetAttrKey:
    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        return getattr(obj, self.name)


# ---- The builtin nodes ----

def is_namedtuple_class(cls):
    return (isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)
            and callable(getattr(cls, "_make", None)) and callable(getattr(cls, "_asdict", None)))


def is_namedtuple(obj):
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_instance(obj):
    return is_namedtuple_class(type(obj))


def _by_index(values):
    return [(SequenceKey(index), value) for index, value in enumerate(values)]


def _by_key(mapping):
    return [(MappingKey(key), value) for key, value in mapping.items()]


register_pytree_node(tuple, lambda d: (list(d), None), lambda values, context: tuple(values),
                     flatten_with_keys_fn=lambda d: (_by_index(d), None))
register_pytree_node(list, lambda d: (d, None), lambda values, context: list(values),
                     flatten_with_keys_fn=lambda d: (_by_index(d), None))
register_pytree_node(dict, lambda d: (list(d.values()), list(d.keys())),
                     lambda values, context: dict(zip(context, values)),
                     flatten_with_keys_fn=lambda d: (_by_key(d), list(d.keys())))
register_pytree_node(namedtuple, lambda d: (list(d), type(d)), lambda values, context: context(*values),
                     flatten_with_keys_fn=lambda d: ([(GetAttrKey(name), value)
                                                      for name, value in zip(d._fields, d)], type(d)))
register_pytree_node(OrderedDict, lambda d: (list(d.values()), list(d.keys())),
                     lambda values, context: OrderedDict(zip(context, values)),
                     flatten_with_keys_fn=lambda d: (_by_key(d), list(d.keys())))
register_pytree_node(defaultdict, lambda d: (list(d.values()), [d.default_factory, list(d.keys())]),
                     lambda values, context: defaultdict(context[0], zip(context[1], values)),
                     flatten_with_keys_fn=lambda d: (_by_key(d), [d.default_factory, list(d.keys())]))
register_pytree_node(deque, lambda d: (list(d), d.maxlen), lambda values, context: deque(values, maxlen=context),
                     flatten_with_keys_fn=lambda d: (_by_index(d), d.maxlen))

STANDARD_DICT_TYPES = frozenset({dict, OrderedDict, defaultdict})
BUILTIN_TYPES = frozenset({tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque})


def _get_node_type(tree):
    node_type = type(tree)
    return namedtuple if is_namedtuple_class(node_type) else node_type


def tree_is_leaf(tree, is_leaf=None):
    if is_leaf is not None and is_leaf(tree):
        return True
    return _get_node_type(tree) not in SUPPORTED_NODES


# ---- How a tree hangs together ----

class TreeSpec:
    def __init__(self, type, context, children_specs):
        self.type, self._context, self._children = type, context, children_specs
        is_leaf = type is None
        self.num_nodes = 1 + sum(child.num_nodes for child in children_specs)
        self.num_leaves = 1 if is_leaf else sum(child.num_leaves for child in children_specs)
        self.num_children = len(children_specs)

    def __repr__(self, indent=0):
        indent += 2
        separator = ",\n" + " " * indent
        children = separator.join([child.__repr__(indent) for child in self._children])
        return f"TreeSpec({self.type.__name__}, {self._context}, [{children}])"

    def __eq__(self, other):
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        return (str(self.type) == str(other.type) and self._context == other._context
                and self._children == other._children)

    def __hash__(self):
        context = self._context
        if self.type is defaultdict:
            context = context[0], tuple(context[1])
        elif self.type in (dict, OrderedDict):
            context = tuple(context)
        elif self.type is not None and self.type not in BUILTIN_TYPES:
            context = None
        return hash((self.type, context, tuple(self._children)))

    @property
    def context(self):
        return self._context

    @property
    def children_specs(self):
        _warnings.warn("`treespec.children_specs` is deprecated. Use `treespec.child(index)` to access a single child, "
                       "or `treespec.children()` to get all children.", FutureWarning, stacklevel=2)
        return self._children

    def is_leaf(self):
        return self.num_nodes == 1 and self.num_leaves == 1

    def children(self):
        return self._children.copy()

    def child(self, index):
        return self._children[index]

    def flatten_up_to(self, tree):
        """The parts of the tree that stand where this one has leaves."""
        if self.is_leaf():
            return [tree]
        parts = []
        for child, part in zip(self._children, self._parts_of(tree)):
            parts.extend(child.flatten_up_to(part))
        return parts

    def _parts_of(self, tree):
        node_type = _get_node_type(tree)
        if self.type not in BUILTIN_TYPES:
            if node_type != self.type:
                raise ValueError(f"Type mismatch; expected {self.type!r}, but got {node_type!r}.")
            children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
            self._check_arity(len(children))
            if context != self._context:
                raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
            return children
        both_dicts = self.type in STANDARD_DICT_TYPES and node_type in STANDARD_DICT_TYPES
        if not both_dicts and node_type != self.type:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {node_type!r}.")
        self._check_arity(len(tree))
        if both_dicts:
            return self._values_of(tree)
        children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
        if node_type is not deque and context != self._context:
            raise ValueError(f"Node context mismatch for node type {self.type!r}; "
                             f"expected {self._context!r}, but got {context!r}.")
        return children

    def _check_arity(self, count):
        if count != self.num_children:
            raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {count}.")

    def _values_of(self, tree):
        keys = self._context[1] if self.type is defaultdict else self._context
        missing, extra = set(keys) - set(tree), set(tree) - set(keys)
        if missing or extra:
            text = f"; missing key(s): {missing}" if missing else ""
            text += f"; extra key(s): {extra}" if extra else ""
            raise ValueError(f"Node keys mismatch{text}.")
        return [tree[key] for key in keys]

    def unflatten(self, leaves):
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a "
                             f"pytree that holds {self.num_leaves} items ({self}).")
        if self.is_leaf():
            return leaves[0]
        children, start = [], 0
        for child in self._children:
            children.append(child.unflatten(leaves[start:start + child.num_leaves]))
            start += child.num_leaves
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self._context)


PyTreeSpec = TreeSpec


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])

    def __repr__(self, indent=0):
        return "*"


_LEAF_SPEC = LeafSpec()


def treespec_leaf():
    return _LEAF_SPEC


def treespec_tuple(iterable=(), /):
    return TreeSpec(tuple, None, list(iterable))


def treespec_dict(mapping=(), /, **kwargs):
    children = dict(mapping, **kwargs)
    return TreeSpec(dict, list(children.keys()), list(children.values()))


# ---- Walking ----

def tree_flatten(tree, is_leaf=None):
    leaves = []

    def spec_of(node):
        if tree_is_leaf(node, is_leaf):
            leaves.append(node)
            return _LEAF_SPEC
        node_type = _get_node_type(node)
        children, context = SUPPORTED_NODES[node_type].flatten_fn(node)
        return TreeSpec(node_type, context, [spec_of(child) for child in children])

    spec = spec_of(tree)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        if not isinstance(leaves, TreeSpec):
            raise TypeError("Expected `treespec` to be an instance of PyTreeSpec but got item of type "
                            f"{type(treespec)}.")
        leaves, treespec = treespec, leaves
    return treespec.unflatten(leaves)


def tree_iter(tree, is_leaf=None):
    if tree_is_leaf(tree, is_leaf):
        yield tree
        return
    children, _ = SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)
    for child in children:
        yield from tree_iter(child, is_leaf)


def tree_leaves(tree, is_leaf=None):
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    rows = [leaves] + [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(map(func, *rows))


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def map_only(type_or_types_or_pred, /):
    if isinstance(type_or_types_or_pred, type) or (isinstance(type_or_types_or_pred, tuple) and all(
            [isinstance(each, type) for each in type_or_types_or_pred])):
        def wanted(value):
            return isinstance(value, type_or_types_or_pred)
    elif callable(type_or_types_or_pred):
        wanted = type_or_types_or_pred
    else:
        raise TypeError("Argument must be a type, a tuple of types, or a callable.")

    def wrapper(func):
        @_functools.wraps(func)
        def wrapped(value):
            return func(value) if wanted(value) else value
        return wrapped
    return wrapper


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    return all(pred(each) for each in tree_iter(tree, is_leaf) if isinstance(each, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    return any(pred(each) for each in tree_iter(tree, is_leaf) if isinstance(each, type_or_types))


def arg_tree_leaves(*args, **kwargs):
    return [*tree_iter(args), *tree_iter(kwargs)]


# ---- Paths ----

def _paths_of(path, tree, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    node_type = _get_node_type(tree)
    flatten = SUPPORTED_NODES[node_type].flatten_with_keys_fn
    if not flatten:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {node_type}. "
                         "Please pass a flatten_with_keys_fn argument to register_pytree_node.")
    for key, child in flatten(tree)[0]:
        yield from _paths_of((*path, key), child, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    return list(_paths_of((), tree, is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    rows = [list(row) for row in zip(*pairs)] + [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(func(*each) for each in zip(*rows))


def keystr(kp):
    return "".join([str(key) for key in kp])


def key_get(obj, kp):
    for key in kp:
        obj = key.get(obj)
    return obj

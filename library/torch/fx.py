"""Graphs as objects of the language, enough to write a backend or a pass in a script.

    def backend(gm, example_inputs):
        gm.graph.print_tabular()
        return gm.forward

A `Graph` is a list of nodes in an order that runs; a `GraphModule` is a graph that can be called.
Captured graphs hold placeholders, `call_function` and `call_method` nodes and one output node,
whose argument is the tuple of outputs. A node's arguments are nodes, numbers, strings, None, and
lists, tuples and slices of them.
"""

import builtins
import operator


class Node:
    """One step of a graph: `op`, `name`, `target`, `args` and `kwargs`, as FX names them."""

    def __init__(self, graph, name, op, target, args, kwargs):
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.args = args
        self.kwargs = kwargs
        self.meta = {}

    def __repr__(self):
        return self.name

    @property
    def all_input_nodes(self):
        found = []

        def visit(node):
            if node not in found:
                found.append(node)
            return node

        map_nodes(self.args, visit)
        map_nodes(self.kwargs, visit)
        return found

    @property
    def users(self):
        return {node: None for node in self.graph.nodes if self in node.all_input_nodes}

    def replace_all_uses_with(self, other):
        changed = []
        for node in self.graph.nodes:
            if self in node.all_input_nodes:
                node.args = map_nodes(node.args, lambda x: other if x is self else x)
                node.kwargs = map_nodes(node.kwargs, lambda x: other if x is self else x)
                changed.append(node)
        return changed

    def format_node(self):
        if self.op == "placeholder":
            return f"%{self.name} : [num_users={len(self.users)}] = placeholder[target={self.target}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        args = map_nodes(self.args, _Reference)
        kwargs = map_nodes(self.kwargs, _Reference)
        named = ", ".join(f"{key}: {value}" for key, value in kwargs.items())
        return (
            f"%{self.name} : [num_users={len(self.users)}] = {self.op}"
            f"[target={target_name(self.target)}](args = {args}, kwargs = {{{named}}})"
        )


class _Reference:
    def __init__(self, node):
        self.node = node

    def __repr__(self):
        return "%" + self.node.name


def target_name(target):
    """How a node's target is written in code: a method's name, or `torch.relu`."""
    if isinstance(target, str):
        return target
    return f"{target.__module__ or 'torch'}.{target.__name__}"


def map_nodes(argument, change):
    """The argument with `change(node)` in place of each node in it."""
    if isinstance(argument, Node):
        return change(argument)
    if isinstance(argument, tuple):
        return tuple([map_nodes(item, change) for item in argument])
    if isinstance(argument, list):
        return [map_nodes(item, change) for item in argument]
    if isinstance(argument, dict):
        return {key: map_nodes(value, change) for key, value in argument.items()}
    if isinstance(argument, slice):
        bounds = (argument.start, argument.stop, argument.step)
        return slice(*[map_nodes(bound, change) for bound in bounds])
    return argument


class Graph:
    """A list of nodes; new ones go before the insertion point, at first the end."""

    def __init__(self):
        self._nodes = []
        self._insert_before = None

    @property
    def nodes(self):
        return list(self._nodes)

    def _add(self, op, target, args, kwargs, name):
        node = Node(self, self._unique(name), op, target, args, kwargs)
        if self._insert_before is None:
            self._nodes.append(node)
        else:
            self._nodes.insert(self._nodes.index(self._insert_before), node)
        return node

    def _unique(self, name):
        """The name, with a number behind it where a node or a builtin (`max`) has it."""
        taken = [node.name for node in self._nodes]
        if name not in taken and not hasattr(builtins, name):
            return name
        number = 1
        while f"{name}_{number}" in taken:
            number += 1
        return f"{name}_{number}"

    def placeholder(self, name):
        return self._add("placeholder", name, (), {}, name)

    def call_function(self, function, args=(), kwargs=None):
        return self._add("call_function", function, tuple(args), kwargs or {}, function.__name__)

    def call_method(self, method, args=(), kwargs=None):
        return self._add("call_method", method, tuple(args), kwargs or {}, method)

    def output(self, result):
        return self._add("output", "output", (result,), {}, "output")

    def inserting_before(self, node):
        return _InsertionPoint(self, node)

    def inserting_after(self, node):
        place = self._nodes.index(node) + 1
        return _InsertionPoint(self, self._nodes[place] if place < len(self._nodes) else None)

    def erase_node(self, node):
        if node.users:
            raise RuntimeError(
                f"Tried to erase Node {node} but it still had {len(node.users)} users in the graph: {node.users}!"
            )
        self._nodes.remove(node)

    def eliminate_dead_code(self):
        changed = False
        for node in reversed(self.nodes):
            if node.op not in ("placeholder", "output") and not node.users:
                self._nodes.remove(node)
                changed = True
        return changed

    def lint(self):
        seen = []
        for node in self._nodes:
            for used in node.all_input_nodes:
                if used not in seen:
                    raise RuntimeError(f"Argument '{used}' of Node '{node}' was used before it has been defined!")
            seen.append(node)

    def print_tabular(self):
        rows = [[node.op, node.name, str(node.target), str(node.args), str(node.kwargs)] for node in self._nodes]
        headers = ["opcode", "name", "target", "args", "kwargs"]
        widths = [max([len(row[i]) for row in rows + [headers]]) for i in range(5)]
        # As `tabulate` prints: columns of words are as wide as their header and two more.
        widths = [max(width, len(header) + 2) for width, header in zip(widths, headers)]
        lines = [headers, ["-" * width for width in widths]] + rows
        for line in lines:
            print("  ".join([cell.ljust(width) for cell, width in zip(line, widths)]).rstrip())

    def __str__(self):
        lines = [node.format_node() for node in self._nodes]
        return "graph():\n    " + "\n    ".join(lines)


class _InsertionPoint:
    def __init__(self, graph, node):
        self.graph = graph
        self.node = node
        self.saved = graph._insert_before

    def __enter__(self):
        self.saved = self.graph._insert_before
        self.graph._insert_before = self.node
        return self

    def __exit__(self, *exception):
        self.graph._insert_before = self.saved


class GraphModule:
    """A graph that can be called; `forward` runs it node by node."""

    def __init__(self, root, graph):
        self.root = root
        self.graph = graph

    def forward(self, *inputs):
        return Interpreter(self).run(*inputs)

    def __call__(self, *inputs):
        return self.forward(*inputs)

    def recompile(self):
        self.graph.lint()

    @property
    def code(self):
        names = ", ".join([node.name for node in self.graph.nodes if node.op == "placeholder"])
        lines = [f"def forward(self, {names}):"]
        for node in self.graph.nodes:
            if node.op == "output":
                lines.append(f"    return {node.args[0]}")
            elif node.op != "placeholder":
                named = [f"{key} = {value!r}" for key, value in node.kwargs.items()]
                if node.op == "call_method":
                    call = f"{node.args[0]}.{node.target}"
                    given = [repr(x) for x in node.args[1:]] + named
                elif node.target is operator.getitem:
                    lines.append(f"    {node.name} = {node.args[0]}[{node.args[1]}]")
                    continue
                else:
                    call = target_name(node.target)
                    given = [repr(x) for x in node.args] + named
                lines.append(f"    {node.name} = {call}({', '.join(given)})")
        return "\n".join(lines) + "\n"

    def print_readable(self):
        print(self.code)


class Interpreter:
    """Runs a graph module node by node; a subclass may override what a kind of node does."""

    def __init__(self, module):
        self.module = module
        self.env = {}

    def run(self, *inputs):
        self.env = {}
        remaining = list(inputs)
        for node in self.module.graph.nodes:
            if node.op == "placeholder":
                self.env[node] = remaining.pop(0)
                continue
            if node.op == "output":
                return map_nodes(node.args[0], lambda x: self.env[x])
            self.env[node] = self.run_node(node)

    def run_node(self, node):
        args = map_nodes(node.args, lambda x: self.env[x])
        kwargs = map_nodes(node.kwargs, lambda x: self.env[x])
        if node.op == "call_method":
            return self.call_method(node.target, args, kwargs)
        return self.call_function(node.target, args, kwargs)

    def call_function(self, target, args, kwargs):
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        return getattr(args[0], target)(*args[1:], **kwargs)

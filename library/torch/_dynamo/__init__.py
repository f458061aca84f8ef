"""Looking into compilation: `explain`, `reset`, `optimize`, `list_backends`, `mark_dynamic`."""
import _glint_compile
from torch._dynamo import config, exc, utils
from torch._compile import compile, _traceable
from torch.compiler import disable, is_compiling, list_backends


def mark_dynamic(t, index, *, min=None, max=None):
    """The size of this dimension (or of each in a list) is symbolic from the first compile on."""
    for dim in index if isinstance(index, (list, tuple)) else [index]:
        _glint_compile.mark_size(t, dim, True)


maybe_mark_dynamic = mark_dynamic


def mark_static(t, index=None):
    """The size of this dimension (of all, when none is named) is never symbolic."""
    if index is None:
        index = list(range(t.dim()))
    for dim in index if isinstance(index, (list, tuple)) else [index]:
        _glint_compile.mark_size(t, dim, False)


def reset():
    _glint_compile.reset()


class FrameSummary:
    def __init__(self, filename, lineno, name):
        self.filename, self.lineno, self.name = filename, lineno, name

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class GraphCompileReason:
    """Why a graph ended: the text, and where in the script."""

    def __init__(self, reason, filename, lineno, name):
        self.reason = reason
        self.user_stack = [FrameSummary(filename, lineno, name)]
        self.graph_break = True

    def __repr__(self):
        return f"GraphCompileReason(reason={self.reason!r}, user_stack={self.user_stack})"


class ExplainOutput:
    """What a call made: its graphs, why they ended, what guards them, what they write."""

    def __init__(self, graph_count, operators, breaks, operators_of_graph, guards, journal, graphs):
        self.graphs = graphs
        self.graph_count = graph_count
        self.graph_break_count = max(graph_count - 1, 0)
        self.op_count = operators
        self.break_reasons = [GraphCompileReason(*each) for each in breaks]
        self.ops_per_graph = operators_of_graph
        self.out_guards = guards
        self.journal = journal

    def __str__(self):
        lines = [
            f"Graph Count: {self.graph_count}",
            f"Graph Break Count: {self.graph_break_count}",
            f"Op Count: {self.op_count}",
            "Break Reasons:",
        ]
        for number, each in enumerate(self.break_reasons, 1):
            lines.append(f"  Break Reason {number}:")
            lines.append(f"    Reason: {each.reason}")
            lines.append("    User Stack:")
            for frame in each.user_stack:
                lines.append(f"      {frame}")
        lines.append("Ops per Graph:")
        for number, operators in enumerate(self.ops_per_graph, 1):
            lines.append(f"  Ops {number}:")
            for operator in operators:
                lines.append(f"    <built-in function {operator}>")
        lines.append("Out Guards:")
        for number, (source, kind, expected) in enumerate(self.out_guards, 1):
            lines.append(f"  Guard {number}:")
            lines.append(f"    Name: {source!r}")
            lines.append(f"    Kind: {kind}")
            lines.append(f"    Expected: {expected}")
        if self.journal:
            lines.append("Journal:")
            lines.extend(f"  {entry}" for entry in self.journal)
        return "\n".join(lines)

    __repr__ = __str__


def explain(f, *extra_args, **extra_kwargs):
    def inner(*args, **kwargs):
        function = f._orig_mod if hasattr(f, "_orig_mod") else f
        return ExplainOutput(*_glint_compile.explain(_traceable(function), args, kwargs))

    if extra_args or extra_kwargs:
        return inner(*extra_args, **extra_kwargs)
    return inner


def optimize(backend="inductor", nopython=False, dynamic=None, disable=False):
    def decorate(function):
        return compile(function, fullgraph=nopython, dynamic=dynamic, backend=backend, disable=disable)

    return decorate

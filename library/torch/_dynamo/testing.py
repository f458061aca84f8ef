"""Backends that count what they are given, for tests of what is compiled when.

    counter = CompileCounter()
    torch.compile(f, backend=counter)(x)
    counter.frame_count, counter.op_count      # graphs, and the operators in them
"""


def _operators(graph):
    return len([node for node in graph.nodes if "call" in node.op])


class CompileCounter:
    """Runs each graph as it is."""

    def __init__(self):
        self.clear()

    def __call__(self, gm, example_inputs):
        self.frame_count += 1
        self.op_count += _operators(gm.graph)
        return gm.forward

    def clear(self):
        self.frame_count = 0
        self.op_count = 0


class CompileCounterWithBackend:
    """Has each graph compiled by a backend, and keeps it."""

    def __init__(self, backend):
        self.backend = backend
        self.clear()

    def __call__(self, gm, example_inputs):
        import torch

        self.frame_count += 1
        self.op_count += _operators(gm.graph)
        self.graphs.append(gm)
        return gm.forward if self.backend == "eager" else torch.compile(gm.forward, backend=self.backend)

    def clear(self):
        self.frame_count = 0
        self.op_count = 0
        self.graphs = []


class EagerAndRecordGraphs:
    """Runs each graph as it is, and keeps it."""

    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.graphs.append(gm)
        return gm.forward

# option: --compile
import torch

graphs = []


def after_sine(gm, example_inputs):
    """A pass over the graph, in the script's own code."""
    graph = gm.graph
    for node in list(graph.nodes):
        if node.op == "call_function" and node.target == torch.sin:
            with graph.inserting_after(node):
                negated = graph.call_function(torch.neg, (node,))
            node.replace_all_uses_with(negated)
            negated.args = (node,)
    graph.lint()
    gm.recompile()
    graphs.append(len(graph.nodes))

    def run(*inputs):
        return tuple(each + 0 for each in gm.forward(*inputs))

    return run


f = torch.compile(lambda x: torch.sin(x) + 1, backend=after_sine)
print(f(torch.ones(1)), f(torch.zeros(2)), f(torch.zeros(3)), len(graphs))


def by_number(gm, example_inputs):
    return gm.forward


g = torch.compile(lambda x, k: x * k, backend=by_number)
for k in range(2, 14):
    print(g(torch.ones(2), k).tolist(), end=" ")
print()
for size in range(1, 12):
    print(g(torch.ones(size), 3).sum().item(), end=" ")
print()

# What `torch._dynamo.explain` found can be run: a module for each graph.
import torch


def f(x):
    y = x.sin() * 2
    print("between")
    return torch.relu(y - 1)


x = torch.tensor([0.0, 1.0, 2.0])
found = torch._dynamo.explain(f)(x)
print(found.graph_count, len(found.graphs), found.graph_break_count)
first, second = found.graphs
print(isinstance(first, torch.fx.GraphModule))
(y,) = first(x)
print(y)
print(second(y)[0])
print([node.op for node in second.graph.nodes])

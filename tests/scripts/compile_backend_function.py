# tolerance: 1e-5
# A backend written in a script: it receives the graph and returns what is called.
import torch

seen = []


def backend(gm, example_inputs):
    seen.append((len(example_inputs), [node.op for node in gm.graph.nodes]))
    return gm.forward


@torch.compile(backend=backend)
def f(x, y):
    return torch.sin(x) + y


print(f(torch.zeros(2), torch.ones(2)), seen)
print(f(torch.ones(2), torch.ones(2)), len(seen))


@torch.compile(backend="eager")
def g(x):
    return x * 2


print(g(torch.ones(2)), torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(1)))
torch._dynamo.reset()
try:
    torch.compile(lambda x: x, backend="no such backend")(torch.ones(1))
except Exception as error:
    print(type(error).__name__)


@torch.compile(disable=True)
def h(x):
    return x - 1


print(h(torch.ones(2)))

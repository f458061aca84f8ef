# What an exception leaves in a compiled function's locals, and what a new call finds there.
import torch

graphs = []


def count(graph, inputs):
    graphs.append(graph)
    return graph.forward


@torch.compile(backend=count)
def lookup(x, n):
    try:
        return x / [1.0, 4.0][n]
    except IndexError:
        return x - 5


print(lookup(torch.ones(2), 1), lookup(torch.ones(2), 0))
compiled = len(graphs)
print(lookup(torch.ones(2), 2), len(graphs) - compiled)
print(lookup(torch.ones(2), 2), len(graphs) - compiled)


# Where the item is missing, `y` keeps what the caller gave, which may differ the next time.
@torch.compile
def keep(x, y, items):
    try:
        y = items[1]
    except IndexError:
        x = x * 2
    return x + y


print(keep(torch.ones(2), 1, [5]), keep(torch.ones(2), 2, [5]), keep(torch.ones(2), 3, [5, 6]))


# Locals of a later turn are not there yet when a new call begins.
@torch.compile
def turns(x, i):
    while True:
        if i > 0:
            x = x * scale
        scale = i + 2.0
        print("turn", i)
        i += 1
        if i > 2:
            return x


print(turns(torch.ones(2), 0))
try:
    turns(torch.ones(2), 1)
except UnboundLocalError as error:
    print(error)

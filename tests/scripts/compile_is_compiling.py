# `torch.compiler.is_compiling()` tells a compiled call from an eager one, in callees as well.
import torch


def inner(x):
    return x * 2 if torch.compiler.is_compiling() else x * 3


def outer(x):
    if torch.compiler.is_compiling():
        return inner(x) + 1
    return inner(x) + 100


compiled = torch.compile(outer)
for _ in range(2):
    print(compiled(torch.ones(2)), torch.compiler.is_compiling())
print(torch.compile(inner)(torch.ones(1)), torch.compiler.is_dynamo_compiling())


@torch.compiler.disable
def marked(x):
    return x * 2 if torch.compiler.is_compiling() else x * 3


def calls_marked(x):
    return marked(x), torch.compiler.is_compiling()


for _ in range(2):
    print(marked(torch.ones(1)), torch.compile(calls_marked)(torch.ones(1)))

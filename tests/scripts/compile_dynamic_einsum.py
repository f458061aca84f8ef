"""`einsum` over sizes that vary: one compilation, or two where dynamic is not set."""
import torch

compiled = 0


def counter(graph, inputs):
    global compiled
    compiled += 1
    return graph.forward


EQUATIONS = [
    ("ij,jk->ik", lambda n: ((n, n + 1), (n + 1, n + 2))),
    ("ij,jk", lambda n: ((n, 5), (5, n))),
    ("ii->i", lambda n: ((n, n),)),
    ("ij->ji", lambda n: ((n, n + 1),)),
    ("...i,i->...", lambda n: ((n, 2, 4), (4,))),
    ("i,j->ij", lambda n: ((n,), (n + 1,))),
    ("ij,ij->", lambda n: ((n, 2), (n, 2))),
]
for dynamic in (True, None):
    for equation, shapes in EQUATIONS:
        compiled = 0
        torch.compiler.reset()
        run = torch.compile(lambda *a: torch.einsum(equation, *a), dynamic=dynamic, backend=counter)
        for n in range(3, 9):
            operands = [torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)
                        for shape in shapes(n)]
            torch.testing.assert_close(run(*operands), torch.einsum(equation, *operands))
        print(dynamic, equation, compiled)


def looked_up(x):
    sizes = {"rows": x.shape[0]}
    names = [x.shape[1]]
    names.append(sizes.get("rows", 1) + sizes.get("columns", 2))
    return x.new_full((names[1], names[0]), 1.0) + x.sum()


compiled = 0
run = torch.compile(looked_up, dynamic=True, backend=counter)
for n in range(3, 9):
    x = torch.ones(n, n + 1)
    torch.testing.assert_close(run(x), looked_up(x))
print(compiled)

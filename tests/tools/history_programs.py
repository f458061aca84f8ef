"""Random programs about histories: what is written in place while gradients are recorded, through
which views, and what `backward` makes of it.

    text = history_programs.program(17)          the same text for the same seed, always
    text.replace("@COMPILE", "@torch.compile")   a decorator stands above each function to compile

Each function makes a tensor from a leaf, takes views of it, writes some of them, with breaks and
random numbers between, and returns all names. The driver prints values, strides and the leaf's
gradient of a weighted sum. All numbers are exact in float32.
"""

import program_text

FUNCTIONS = 14

VIEWS = [
    "{a}[0]", "{a}[1:3]", "{a}.t()", "{a}.view(-1)", "{a}.diagonal()", "{a}[:, 1]", "{a}.detach()",
    "{a}.unsqueeze(0)", "{a}.transpose(0, 1)", "{a}.reshape(-1)", "{a}.narrow(0, 0, 2)",
    "{a}.unflatten(0, (1, -1))", "{a}.flatten()", "{a}.select(0, 1)", "{a}[...]", "{a}[::2]",
    "{a}.permute(*range({a}.dim())[::-1])", "{a}.expand_as({a})", "{a}.chunk(2)[0]",
    "{a}.split(2)[0]", "{a}.unbind(0)[1]", "{a}.movedim(0, -1)", "{a}.view_as({a})", "{a}[None]",
]
WRITES = [
    "{a} += {n}", "{a} *= {n}", "{a}.fill_({n})", "{a}.copy_({a} * {n})", "{a}.zero_()",
    "{a}[0] = {n}", "{a}[{a} > {n}] = {n}", "{a}.mul_({b}.sum())", "{a}.clamp_(max={n})",
    "{a}[0] += {b}.sum()", "{a}[-1:] = {a}[:1] + {n}", "{a}.masked_fill_({a} < {n}, 0.5)",
    "{a}.relu_()", "{a}.neg_()", "{a} = {a} * {n}", "{a}.bernoulli_()", "{a}.clamp_(-5, 5)",
]

DRIVER = '''
def show(name, f):
    for call in range(3):
        torch.manual_seed(1)
        x = (torch.arange(12.0).reshape(4, 3) - 4 + call).requires_grad_()
        try:
            results = f(x)
            print(name, [(t.tolist(), t.stride(), t.requires_grad) for t in results])
            sum((t * (i + 1)).sum() for i, t in enumerate(results)).backward()
            print(name, x.grad.tolist() if x.grad is not None else None)
        except RuntimeError as error:
            print(name, str(error)[:60])
'''


def function(chosen, name):
    """One function: views are taken and written through."""
    lines, names = ["y = x * 1.5", "v0 = y"], ["y", "v0"]
    for _ in range(chosen.randint(2, 6)):
        a, b, kind = chosen.choice(names), chosen.choice(names), chosen.random()
        if kind < 0.45:
            names.append(f"v{len(names)}")
            lines.append(f"{names[-1]} = " + chosen.choice(VIEWS).format(a=a))
        elif kind < 0.52:
            lines.append("print(end='')")
        else:
            write = chosen.choice(WRITES)
            lines.append(write.format(a=a, b=b, n=chosen.choice([1, 2, -1, 0.5])))
    lines.append(f"return [{', '.join(names)}]")
    return [f"@COMPILE\ndef {name}(x):"] + ["    " + line for line in lines]


def program(seed):
    """The text of the program of this seed, with `@COMPILE` for the decorator."""
    return program_text.of_functions(seed, ["import torch", DRIVER], function, FUNCTIONS)

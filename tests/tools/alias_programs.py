"""Random programs about who shares whose memory: views, copies, writes in place, and identity.

    text = alias_programs.program(17)            the same text for the same seed, always
    text.replace("@COMPILE", "@torch.compile")   a decorator stands above each function to compile

A program has some functions of two tensors, which may be one, or views of one another. After each
call the driver prints the results and what became of the arguments, which of them are the same
object, and then writes to each of them in turn and prints all again: tensors that share memory
otherwise than in eager execution show something else.
"""

import program_text

FUNCTIONS = 12

SAME_OR_VIEW = [
    "{x}", "{x}.contiguous()", "{x}.to(torch.float32)", "{x}.to({y})", "{x}.float()", "{x}.cpu()",
    "{x}.type_as({y})", "F.dropout({x}, 0.0)", "F.dropout({x}, 0.5, False)", "{x}.detach()",
    "{x}.t()", "{x}.t()", "{x}.t().contiguous()", "{x}.t().t()", "{x}.reshape(2, 2)", "{x}.view(-1)",
    "{x}.reshape(-1)", "{x}.flatten()", "{x}.ravel()", "{x}.view(2, 2)", "{x}.squeeze()",
    "{x}.unsqueeze(0)", "{x}[0]", "{x}[:]", "{x}[1:]", "{x}[..., 0]", "{x}[None]",
    "{x}.chunk(2)[1]", "{x}.split(1)[0]", "{x}.unbind(0)[1]", "{x}.transpose(0, 1)",
    "{x}.narrow(0, 0, 1)", "{x}.select(0, 1)", "{x}.diagonal()", "{x}.movedim(0, 1)", "{x}.T",
    "{x}.expand_as({y})", "{x}.view_as({y})", "{x}.reshape_as({y})", "{x}.expand(2, 2)",
    "{x}.unflatten(0, (2, 1))", "{x}.permute(1, 0)", "torch.atleast_2d({x})", "({x}, {y})[0]",
]
COPY = [
    "{x}.clone()", "{x} * 1", "{x} / 1", "{x} - 0", "{x} ** 1", "-(-{x})", "{x}.double().float()",
    "torch.where(torch.tensor(True), {x}, {y})", "{x}.abs().abs()", "{x}.repeat(1, 1)",
    "torch.cat([{x}])", "torch.stack([{x}])[0]", "{x}.flip(0)", "{x}.roll(0)", "{x} + {y}",
    "{x} * 2", "{x} * 2", "{x}.index_select(0, torch.tensor([1, 0]))", "{x}.sum(0, keepdim=True)",
    "{x}.clamp(min=-50.0)", "torch.zeros(2, 2)", "torch.tensor([1.0, 2.0])", "torch.ones(2)[1:]",
    "{x}.clone().view(-1)", "{x}.clone().t()", "{x}.clone()[1:]", "({x} * 1)[0]", "{x}.unsqueeze(0).sum(0)",
]
WRITES = [
    "{x}.mul_(2)", "{x} += 1", "{x}.zero_()", "{x}[0] = 5", "{x}.copy_({y})", "{x}.add_({y})",
    "{x} -= {x}.mean()", "{x}.fill_(3)", "{x}.relu_()", "{x}.neg_()", "{x}.clamp_(max=4)",
    "{x}.mul_(1)", "{x}[1:] += {y}[:1].clone()", "{x}.copy_({y}.t())", "{x}.sub_({y}, alpha=2)",
    "for r in {x}: r += 1", "for r in {x}.split(1): r.mul_(2)", "for r in {x}.unbind(0): r.fill_(7)",
    "keep[-1].add_(1)", "{x}.t().mul_(2)", "{x}[0].add_({y}[0])", "{x}.masked_fill_({x} > 2, 0.5)",
]

DRIVER = '''
def tensors(value, found):
    if isinstance(value, torch.Tensor): found.append(value)
    elif isinstance(value, (tuple, list)):
        for item in value: tensors(item, found)
    return found

def pairs():
    x = torch.arange(4.0).view(2, 2)
    yield x, x * 2
    x = torch.arange(4.0).view(2, 2)
    yield x.t(), x * 2
    x = torch.arange(4.0).view(2, 2)
    yield x, x
    x = torch.arange(4.0).view(2, 2)
    yield x, x.t()
    x = torch.arange(8.0).view(2, 4)
    yield x[:, ::2], x[:, 1::2]
    x = torch.arange(3.0)
    yield x, torch.ones(3)

def show(name, f):
    for number, (a, b) in enumerate(pairs()):
        try: result = f(a, b)
        except Exception as error:
            print(name, number, type(error).__name__, a.tolist(), b.tolist())
            continue
        found = tensors((a, b, result), [])
        print(name, number, [t.tolist() for t in found], [i for i in result if isinstance(i, bool)])
        print([[i for i, u in enumerate(found) if u is t] for t in found], [t.stride() for t in found])
        for t in found:
            try: t.add_(100)
            except RuntimeError: print("not to be written")
            print([t.tolist() for t in found])
'''


def function(chosen, name):
    """One function: names are bound, written through, compared and dropped."""
    names, lines = ["a", "b"], ["keep = [a]"]
    for _ in range(chosen.randint(2, 8)):
        x, y = chosen.choice(names), chosen.choice(names)
        kind = chosen.random()
        if kind < 0.5 or len(names) == 2:
            templates = SAME_OR_VIEW if chosen.random() < 0.55 else COPY
            target = chosen.choice([f"v{len(names)}", f"v{len(names)}", x if len(names) > 2 else "v2"])
            lines.append(f"{target} = " + chosen.choice(templates).format(x=x, y=y))
            names += [target] * (target not in names)
        elif kind < 0.8:
            # Mostly what the function made: a write to an argument ends the region anyway.
            x = x if chosen.random() < 0.3 else chosen.choice(names[2:])
            lines.append(chosen.choice(WRITES).format(x=x, y=y))
        elif kind < 0.9:
            lines.append(f"keep.append({x} is {y})" if chosen.random() < 0.5 else f"keep.insert(0, {x})")
        elif len(names) > 3:
            lines.append(f"del {names.pop()}")
    returned = chosen.sample(names, chosen.randint(0, min(3, len(names))))
    if chosen.random() < 0.3:
        returned.append(chosen.choice(names) + chosen.choice([".t()", "[0]", " * 1", ".contiguous()"]))
    lines.append(f"return [{', '.join(returned)}]" + chosen.choice([" + keep", ""]))
    return [f"@COMPILE\ndef {name}(a, b):"] + ["    " + line for line in lines]


def program(seed):
    """The text of the program of this seed, with `@COMPILE` for the decorator."""
    return program_text.of_functions(seed, ["import torch", "import torch.nn.functional as F", DRIVER], function, FUNCTIONS)

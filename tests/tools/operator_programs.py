"""Random programs of tensor operators that one kernel may hold together: scans, sorts, reductions, gathers.

    text = operator_programs.program(17)         the same text for the same seed, always
    text.replace("@COMPILE", "@torch.compile")   a decorator stands above each function to compile

Each function takes a matrix, a vector and a vector of places, and computes with them a few steps on,
so that what one operator makes is what the next looks up, sums, sorts or writes. The driver calls it
with several sizes, among them 0 and 1, and with views; an exception is a result like any other.
"""

import program_text

FUNCTIONS = 8

# By kind: m a matrix, v a vector, i a vector of places, b a mask as large as a matrix.
EXPRESSIONS = {
    "m": [
        "{m} + {m}", "{m} * 2 - {v}", "{m}.abs()", "{m} - {m}.mean(1, keepdim=True)", "torch.relu({m})",
        "{m} / (1 + {m}.abs().sum(1, keepdim=True))", "{m}.cumsum(0)", "{m}.cumsum(1)", "{m}.cumprod(1).clamp(-9, 9)",
        "{m}.sort(1)[0]", "{m}.sort(0, descending=True).values",
        "{m}.index_select(0, {i})", "{m}.index_select(1, {i})", "{m}[{i}]", "{m}[:, {i}]", "{m}[:, ::2]",
        "torch.gather({m}, 1, {m}.argsort(1))", "torch.gather({m}, 0, {m}.argsort(0, descending=True))",
        "{m}.t()", "{m}.flip(0)", "{m}.roll(1, 1)", "{m}.softmax(1)", "{m}.log_softmax(0).clamp(-9)",
        "torch.where({b}, {m}, -{m})", "{m}.masked_fill({b}, 0.5)", "torch.cat([{m}, {m}], 0)[::2]",
        "{m}.index_add(0, {i}, {m}[{i}])", "{m}.scatter_add(1, {m}.argsort(1), {m} * 2)",
        "{m}.scatter(0, {m}.argsort(0), {m} + 1)", "{m}.index_fill(0, {i}, 3.0)", "{m}.index_copy(0, {i}.unique(), {m}[{i}.unique()])",
        "torch.outer({v}, {v})", "{v}.unsqueeze(0) + {m}", "{v}.expand(3, -1)", "{m} @ {m}.t()",
        "torch.stack([{v}, {v}])", "{m}.topk(1, 0).values + {m}", "{m}.tril()", "{m}.triu(1)", "{m}.repeat(2, 1)",
        "{m}.diff(dim=0)", "{m}.view(-1)[{i}].expand(2, -1)", "{m}.cumsum(0).flip(0)[{i}]",
        "({m} > {v}).float()", "{m}.to(torch.float64).cumsum(1).float()", "{m}.reshape(-1, 1)", "{m}.nan_to_num().sign()",
    ],
    "v": [
        "{m}.sum(0)", "{m}.mean(1)", "{m}.amax(0)", "{m}.max(1).values", "{m}.min(0)[0]", "{m}.clamp(-2, 2).prod(0).clamp(-9, 9)",
        "{v} * {v}", "{v}.cumsum(0)", "{v}.sort()[0]", "{v}[{i}]", "{v}.index_select(0, {i})", "{v}.flip(0)",
        "torch.gather({v}, 0, {v}.argsort())", "{m}[0]", "{m}[:, -1]", "{m}.diagonal()", "{v}.gather(0, {i})", "{v}.take({i})",
        "torch.zeros(4).index_add(0, {i}, {v}[{i}])", "torch.zeros(9).scatter_add(0, {i}, {v})", "{m}.argmax(1) * 1.0",
        "{m}.norm(dim=1)", "{m}.var(0, unbiased=False)", "{m}.logsumexp(1)", "{m}.median(1).values", "{m}.cumsum(1)[:, 0]",
        "{m}.any(0).float()", "torch.bincount({i}) * 1.0", "{i}.cumsum(0) / 2", "{m}.argsort(1)[:, 0] * 1.0", "({m} > 0).sum(1) / 2",
        "torch.cumsum({m}.sum(1), 0)", "torch.arange({v}.shape[0]) * {v}", "{m}.flatten()", "{m}.masked_select({b})",
        "{v} - {v}.max()",
    ],
    "i": [
        "{v}.argsort()", "{m}.argmax(0)", "{m}.argmin(1)", "({v} > 0).long()", "{i}.flip(0)", "{i}[{i} * 0]", "{i}.sort()[0]",
        "{i}.cumsum(0) % 2", "{m}.argsort(1)[0]", "torch.arange({v}.shape[0])", "{i} * 0", "({v} != 0).nonzero().squeeze(1)",
        "{i}.clamp(0, 1)", "{v}.topk(1).indices", "({m} > 0).sum(0) % 2", "{i}.int()", "-{i} - 1",
    ],
    "b": ["{m} > 0", "{m} <= {v}", "{b} & ({m} != 1)", "~{b}", "{m}.cumsum(0) > {m}", "{m}.isnan()", "{b}.flip(1)"],
}
SIMPLE = {"m": "m", "v": "v", "i": "i", "b": "m > 1"}

DRIVER = '''
def text(value):
    numbers = [round(float(z), 3) + 0.0 for z in value.reshape(-1).tolist()]
    return f"{tuple(value.shape)} {str(value.dtype)[6:]} {numbers}"

def matrix(rows, columns):
    return torch.tensor([(7.0 * k % 11 - 4) / 2 + k / 64 for k in range(rows * columns)]).view(rows, columns)

def calls():
    for rows, columns in ((3, 3), (2, 3), (3, 2), (1, 4), (4, 1), (5, 5), (0, 3), (3, 0), (40, 40)):
        yield matrix(rows, columns), matrix(columns, 1)[:, 0] - 1, torch.arange(min(rows, columns)).flip(0)
    yield matrix(3, 3).t(), matrix(3, 3)[:, 1], torch.tensor([2, 0, 0, 1])
    yield matrix(4, 6)[:, ::2], matrix(1, 3)[0], torch.tensor([1, 1])
    yield matrix(3, 3), matrix(3, 1)[:, 0], torch.tensor([0, 5])

def show(name, f):
    # Where an index is out of range that nothing is read by, a kernel may not come to it.
    eager = torch.compile(getattr(f, "__wrapped__", f), disable=True)
    for number, (m, v, i) in enumerate(calls()):
        try: eager(m, v, i)
        except Exception as error:
            if "out of " in str(error): continue
        try: result = [text(each) for each in f(m, v, i)]
        except Exception as error: result = f"{type(error).__name__}: {error}"
        print(name, number, result)
'''


def expression(chosen, scope, kind, depth):
    """An expression of this kind, nested at most so deep."""
    known = scope[kind]
    if depth == 0 or (known and chosen.random() < 0.4):
        return chosen.choice(known) if known else SIMPLE[kind]
    parts = chosen.choice(EXPRESSIONS[kind])
    for hole in EXPRESSIONS:
        while "{" + hole + "}" in parts:
            inner = expression(chosen, scope, hole, depth - 1)
            simple = inner.isidentifier() or (inner[-1] in ")]" and " " not in inner and inner[0].isalpha())
            parts = parts.replace("{" + hole + "}", inner if simple else f"({inner})", 1)
    return parts


def function(chosen, name):
    """One function: some names, each made of those before; what is returned is among the last."""
    scope = {"m": ["m"], "v": ["v"], "i": ["i"], "b": []}
    lines = []
    for number in range(chosen.randint(2, 6)):
        kind = chosen.choice("mmmvvvib")
        made = f"{kind}{number}"
        lines.append(f"{made} = {expression(chosen, scope, kind, 2)}")
        # What was made last is what the next is made of.
        scope[kind] = [made] * 3 + scope[kind]
    names = [line.split(" ", 1)[0] for line in lines]
    returned = [names[-1]] + chosen.sample(names[:-1], min(len(names) - 1, chosen.randint(0, 2)))
    lines.append(f"return [{', '.join(returned)}]")
    return [f"@COMPILE\ndef {name}(m, v, i):"] + ["    " + line for line in lines]


def program(seed):
    """The text of the program of this seed, with `@COMPILE` for the decorator."""
    return program_text.of_functions(seed, ["import torch", DRIVER], function, FUNCTIONS)

"""What the programs of capture_programs.py are put together from.

Each kind of value has a list of expressions, `{m}` in a template being another expression of kind
m. Kinds: m matrix, v vector, s 0-dim tensor, i int, f float, b bool, l list of matrices, d dict of
matrices by name, o object, t text.

    EXPRESSIONS["m"]    ["{m} + {m}", "{m} - {s}", ...]     each a way to write a matrix
    PRELUDE             the classes and functions at the head of each program
"""

EXPRESSIONS = {
    "m": [
        "{m} + {m}",
        "{m} * {m}",
        "{m} - {s}",
        "{m} + {v}",
        "{m} * {f}",
        "{i} - {m}",
        "{m} / (2 + {i} % 3)",
        "torch.tanh({m})",
        "{m}.abs()",
        "torch.relu({m})",
        "{m}.clone()",
        "torch.where({m} > {s}, {m}, {m} + 1)",
        "{m}.t().contiguous().t()",
        "{m}.t().t()",
        "{m}.view({m}.shape) if {b} else {m}",
        "{m}.reshape(-1).reshape({m}.shape)",
        "torch.zeros_like({m})",
        "torch.ones({m}.shape)",
        "{m}.flip(0)",
        "{l}[{i} % 2]",
        "{d}['a']",
        "{d}.get('b', {m})",
        "{o}.w",
        "{o}({m})",
        "{o}.scaled({m})",
        "{o}[0]",
        "plain({m}, {i})",
        "plain(a={m})",
        "spread({m}, {m}, k={i})",
        "spread(*{l})",
        "spread({m}, **{{'k': {i}}})",
        "helper({m}, {i})",
        "({m} if {b} else {m})",
        "sum({l})",
        "{m}.softmax(1)",
        "{m}.cumsum(0) / 4",
        "torch.stack({l}).mean(0)",
        "torch.cat({l}, 0)[:{m}.shape[0]]",
        "(lambda z: z + {i})({m})",
        "{m}.expand(*{m}.size())",
        "{m}.to(torch.float64).float()",
        "{m} @ torch.eye({m}.size(1))",
        "max({l}, key=lambda z: float(z.sum()))",
        "next(walk({l}))",
        "recurse({m}, {i} % 4)",
        "{m}.masked_fill({m} > 1, {f})",
        "TABLE['k'](({m}))",
        "functools.reduce(lambda p, q: p + q, {l})",
        "{m}.clamp(-2, 2)",
        "G_T + {m}",
        "(-{m}).exp().clamp(max=3)",
        "{m}.sort(1)[0]",
        "{m}.roll(1, 0)",
        "torch.full_like({m}, {f})",
        "{m}.pow(2).clamp(max=9)",
        "{m}.detach()",
    ],
    "v": [
        "{m}[0]",
        "{m}[{i} % 2]",
        "{m}.sum(0) / 4",
        "{m}.mean(dim=0)",
        "{m}.max(0).values",
        "{v} + {s}",
        "{v} * {i}",
        "{m}[-1].clone()",
        "torch.arange({m}.shape[1]) * 1.0",
        "{v}.view(-1)",
        "{m}.amax(0)",
        "list({m})[0]",
        "{m}.unbind(0)[1]",
        "torch.ones({m}.size(1))",
        "{v}.flip(0)",
        "{v}[torch.arange({v}.shape[0])]",
        "torch.linspace(0, 1, {v}.shape[0])",
    ],
    "s": [
        "{m}.sum() / 8",
        "{m}.mean()",
        "{v}.max()",
        "{m}[0, 0]",
        "torch.tensor({f})",
        "{v}[{i} % 2]",
        "{s} + {i}",
        "{s} * {s} / 4",
        "{m}[0][1]",
        "torch.tensor({i})",
        "{v}.dot({v}) / 8",
        "{m}.norm()",
    ],
    "i": [
        "{i} + 1",
        "{i} * {i} % 5",
        "{m}.shape[0]",
        "{m}.size(1)",
        "len({l})",
        "{m}.numel()",
        "G_I",
        "{o}.k",
        "int({s})",
        "{m}.dim()",
        "len({d})",
        "len({t})",
        "({i} if {b} else {i})",
        "{i} // 2",
        "{i} % 3",
        "-{i}",
        "min({i}, {i})",
        "sum(range({i} % 5))",
        "{v}.argmax().item()",
        "{i} ** 2 % 7",
        "abs({i})",
        "{m}.stride(0)",
        "len([z for z in {l} if z.shape[0] > {i}])",
        "hash({i}) % 4",
        "{i} & 3",
        "{i} << 1",
        "int({b})",
    ],
    "f": [
        "{f} * 0.5",
        "{s}.item()",
        "float({i})",
        "G_F",
        "{i} / 2",
        "{f} + {i}",
        "math.sqrt(abs({f}))",
        "round({f}, 2)",
        "float({s})",
        "{f} - {f}",
        "{o}.f",
        "max({f}, 0.25)",
        "{m}.shape[0] / {m}.shape[1]",
        "math.floor({f})",
        "sum({v}.tolist())",
    ],
    "b": [
        "{i} > {i}",
        "{f} < {f}",
        "{s} > {f}",
        "{m}.shape[0] > {i}",
        "not {b}",
        "{b} and {b}",
        "{b} or {b}",
        "{i} == {i}",
        "{m}.is_contiguous()",
        "{t} == {t}",
        "{m}.dtype == torch.float32",
        "'a' in {d}",
        "isinstance({m}, torch.Tensor)",
        "{m} is {m}",
        "bool({s} > 1)",
        "{i} in (1, 2, 3)",
        "torch.is_grad_enabled()",
        "({m} > 1).any()",
        "hasattr({o}, 'extra')",
        "torch.allclose({m}, {m})",
        "{i} < {i} < {i}",
    ],
    "l": [
        "[{m}, {m}]",
        "[z + {i} for z in {l}]",
        "{l} + [{m}]",
        "list({l})",
        "[{m}] * 2",
        "{l}[::-1]",
        "{o}.items",
        "list(walk({l}))",
        "list(map(torch.neg, {l}))",
        "[p * q for p, q in zip({l}, {l})]",
        "sorted({l}, key=lambda z: -float(z.sum()))",
        "list({d}.values()) + [{m}, {m}]",
        "G_L[-2:]",
        "[z for z in {l} if z.sum() > 0] + [{m}, {m}]",
        "[*{l}, {m}]",
        "[{l}[0], *{l}][:2]",
    ],
    "d": [
        "{{'a': {m}, 'b': {m}}}",
        "dict({d})",
        "{{k: z * 2 for k, z in {d}.items()}}",
        "{{**{d}, 'c': {m}}}",
        "dict(a={m})",
        "{o}.table",
        "{d} | {{'b': {m}}}",
    ],
    "o": ["OBJECT", "Box({m}, {i})", "Sub({m}, {i})", "{o}"],
    "t": [
        "'x'",
        "str({i})",
        "f'{{{i}}}-{{{m}.shape[0]}}'",
        "G_S",
        "{t} + 'y'",
        "{t}.upper()",
        "str({m}.dtype)",
        "f'{{{f}:.2f}}'",
        "{t} * 2",
    ],
}
SIMPLE = {
    "m": "x",
    "v": "x[0]",
    "s": "x.mean()",
    "i": "n",
    "f": "0.5",
    "b": "n > 1",
    "l": "[x, x + 1]",
    "d": "{'a': x}",
    "o": "OBJECT",
    "t": "'x'",
}

STATEMENTS = [
    "{m!}.add_({f})",
    "{m!}.mul_(0.5)",
    "{m!}[0].add_(1)",
    "{m!}[{i} % 2] = {v}",
    "{m!}[:, 0] = {s}",
    "{m!}[{m} > 1] = 0.5",
    "{m!}.view(-1)[0] = {f}",
    "{m!}.t()[0].mul_(2)",
    "{m!}[0, 1] += {f}",
    "{m!} += {m}",
    "{m!} *= 0.5",
    "{m!}[1:] -= {f}",
    "{m!}.clamp_(-3, 3)",
    "{m!}.copy_({m})",
    "{m!}.fill_({f})",
    "{m!}[:, :2].zero_()",
    "{m!} -= {v}.clone()",
    "{v!}.add_({i})",
    "{v!}[0] = {s}",
    "{s!} += 1",
    "{m!}.tanh_()",
    "{l!}.append({m})",
    "{l!}[0] = {m}",
    "{l!}.insert(0, {m})",
    "{l!}.extend({l})",
    "{l!}.reverse()",
    "{l!} += [{m}]",
    "{m!} = {l!}.pop()\n{l!}.append({m!})",
    "{d!}['a'] = {m}",
    "{d!}['c'] = {m}",
    "{d!}.update({d})",
    "{d!}.setdefault('z', {m})",
    "{d!}.pop('c', None)",
    "{d!}['a'].add_(1)",
    "{o}.w = {m}",
    "{o}.k += 1",
    "{o}.f = {f}",
    "{o}.w.add_(0.25)",
    "{o}.extra = {i}",
    "{o}.items.append({m})",
    "{o}.table['a'] = {m}",
    "{o}.bump({i})",
    "{o}[0] = {m}",
    "{o}.count",
    "del {o}.extra",
    "OBJECT.k += 1",
    "OBJECT.w = {m}",
    "OBJECT.last = [{m}, {i}]",
    "OBJECT.items.insert({i} % 2, {m})",
    "OBJECT.items.append({m})\nOBJECT.items.pop(0)",
    "OBJECT.items[-1] = {m}",
    "OBJECT.items.reverse()",
    "OBJECT.table.update(b={m}, n={i})",
    "OBJECT.table['n'] = OBJECT.table.get('n', 0) + 1",
    "OBJECT.table.pop('n', None)",
    "G_N.append({i})\nG_N[0] += {i}",
    "G_N[1:2] = [{i}, {i}]",
    "G_N.sort()",
    "del G_N[0]\nG_N.insert(1, len(G_N))",
    "G_N.clear()\nG_N.extend([1, {i}, 2])",
    "G_E.add({i} % 5)\nG_E.discard(2)",
    "for e in G_N[:3]: G_N.append(e + 1)\ndel G_N[4:]",
    "plain.calls = getattr(plain, 'calls', 0) + 1",
    "print('mid', G_N, sorted(G_E), sorted(G_D), OBJECT.k)",
    "setattr({o}, 'k', {i})",
    "{m!}, {i!} = {m}, {i}",
    "{m!}, *rest = {l}",
    "({m!}, {v!}) = pair({m}, {v})",
    "print('mid', {i}, {t})",
    "print('mid', {m})",
    "print('mid', {m}.shape, {f})",
    "G_L.append({m})",
    "G_D['n'] = G_D.get('n', 0) + 1",
    "G_L[0].add_(1)",
    "torch.manual_seed({i} % 9)",
    "{m!} = {m} + torch.rand({m}.shape)",
    "{m!} = {m} + torch.randn(2, 1)",
    "{v!} = {v} * random.random()",
    "assert {b}, {t}",
    "{m!} = inner_inplace({m!})",
    "G_D.setdefault({t}, []).append({i})",
    "{m!} = {d!}.pop('a')\n{d!}['a'] = {m!}",
    "{i!} = {i!} + 1",
    "{f!} = {f}",
    "{b!} = {b}",
    "{t!} = {t}",
    "{s!} = {s}",
    "{v!} = {v}",
    "{l!} = {l}",
    "{d!} = {d}",
    "{o!} = {o}",
    "if {b}: raise ValueError({t})",
    "{m!}.transpose(0, 1).add_({f})",
    "{m!} = {m}.view(-1)[: {m}.shape[0] * 2].reshape(-1, 2)[:, :1] + {m}",
    "torch.add({m}, 1, out={m!})",
    "{m!}.unsqueeze(0).squeeze(0).add_(1)",
    "{m!}[..., -1] = {f}",
    "{m!}.data.add_(1)",
    "print('ids', {m!} is {m}, {m!}.data_ptr() == {m}.data_ptr())",
]

PRELUDE = '''import functools
import math
import random

import torch

G_I, G_F, G_S = 3, 0.5, "g"
G_T = torch.ones(1, 1)
G_L = [torch.zeros(2, 2)]
G_D = {}
G_N = [1, 2, 3]
G_E = set()


class Box:
    shared = 2

    def __init__(self, w, k):
        self.w, self.k, self.f = w, k, 0.5
        self.items = [w, w * 2]
        self.table = {"a": w}

    def __call__(self, x):
        return x * self.k + self.f

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, x):
        self.items[i] = x

    @property
    def count(self):
        self.k += 1
        return self.k

    def scaled(self, x, by=2):
        return x * by * self.shared

    def bump(self, n):
        self.k += n
        self.w = self.w + n
        return self


class Sub(Box):
    def scaled(self, x, by=3):
        return super().scaled(x, by) - 1

    def __eq__(self, other):
        return self.k == other.k


OBJECT = Box(torch.full((2, 3), 0.5), 1)


def plain(a, b=2, *, c=1):
    if b > 2:
        return a + b
    return a * c


def spread(*args, k=1, **rest):
    total = args[0] * k
    for each in args[1:]:
        total = total + each
    return total


def walk(items):
    for each in items:
        yield each + 1
        yield each


def recurse(x, n):
    return x if n <= 0 else recurse(x, n - 1) + n


def pair(x, y):
    return x + 1, y * 2


def inner_inplace(x):
    x[0] += 1
    return x


TABLE = {"k": lambda x: x - 1}


def text(value):
    """A value as text in which nothing depends on the last digits."""
    if isinstance(value, torch.Tensor):
        numbers = [round(float(z), 3) + 0.0 for z in value.detach().reshape(-1).tolist()]
        return f"T{tuple(value.shape)}{str(value.dtype)[6:]}{value.stride()}{numbers}"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {text(z)}" for k, z in value.items()) + "}"
    if isinstance(value, Box):
        return f"{type(value).__name__}({text(sorted(vars(value).items()))})"
    return repr(value)


def call(f, *args, **kwargs):
    try:
        result = f(*args, **kwargs)
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print("result", text(result))
    print("  args", text(args), text(kwargs))
    print("  globals", G_I, G_F, G_S, text(G_T), text(G_L), text(G_D), G_N, sorted(G_E), text(OBJECT))
    del G_L[3:]


'''

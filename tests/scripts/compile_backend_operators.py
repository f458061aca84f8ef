# A graph that a backend is given can be run, whatever operators it holds: `gm.forward` gives what
# eager gives, and the graph prints. Nodes have FX's names where FX has these nodes.
import operator

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 4)
w = torch.randn(5, 4)
b = torch.randn(5)
t = torch.tensor([0, 1])
layers = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2))


def backend(gm, example_inputs):
    str(gm.graph)
    gm.graph.lint()
    for node in gm.graph.nodes:
        str((node.target, node.args, node.kwargs))
    return gm.forward


def writes_parts(x):
    y = x.clone()
    y[:, 0] = 5
    y[0] = x[1]
    return y


def in_place(x):
    y = x * 1
    y += 2
    y *= x
    return y


def both_parts(x):
    values, indices = x.max(1)
    return values + indices


def some_parts(x):
    first, _, last = x.unbind(1)
    return first * last


def halves(x):
    a, b = x.chunk(2, -1)
    return a @ b.transpose(-1, -2)


cases = {
    # torch.nn.functional
    "linear": lambda x: F.linear(x, w, b),
    "linear without bias": lambda x: F.linear(x, w),
    "gelu": lambda x: F.gelu(x),
    "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": lambda x: F.silu(x),
    "relu": lambda x: F.relu(x),
    "relu6": lambda x: F.relu6(x),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.2),
    "elu": lambda x: F.elu(x),
    "hardtanh": lambda x: F.hardtanh(x),
    "softplus": lambda x: F.softplus(x),
    "logsigmoid": lambda x: F.logsigmoid(x),
    "F.layer_norm": lambda x: F.layer_norm(x, (4,)),
    "torch.layer_norm": lambda x: torch.layer_norm(x, (4,)),
    "rms_norm": lambda x: F.rms_norm(x, (4,)),
    "softmax": lambda x: F.softmax(x, -1),
    "log_softmax": lambda x: F.log_softmax(x, -1),
    "cross_entropy": lambda x: F.cross_entropy(x[:, 0], t),
    "nll_loss": lambda x: F.nll_loss(x[:, 0].log_softmax(-1), t),
    "mse_loss": lambda x: F.mse_loss(x, x + 1),
    "l1_loss": lambda x: F.l1_loss(x, x + 2),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(x, x + 2),
    "binary_cross_entropy": lambda x: F.binary_cross_entropy(x.sigmoid(), x.sigmoid()),
    "with_logits": lambda x: F.binary_cross_entropy_with_logits(x, x.sigmoid()),
    "embedding": lambda x: F.embedding(t, w) + x[0, 0],
    "one_hot": lambda x: F.one_hot(t, 4) + x[:, 0],
    "dropout": lambda x: F.dropout(x, 0.0, True),
    "layers": lambda x: layers(x),
    # Indexing
    "slices": lambda x: x[:, 1:, ::2],
    "slice to the end": lambda x: x[:-1],
    "slice to a size": lambda x: x[:, : x.shape[0]] * 2,
    "position of a size": lambda x: x[:, x.shape[0] - 1],
    "index of no dimensions": lambda x: x[x[0, 0, 0].long().abs() % 2],
    "positions": lambda x: x[0, None, ..., -1],
    "select": lambda x: x.select(-1, 0),
    "narrow": lambda x: x.narrow(1, 0, 2),
    "index": lambda x: x[t],
    "index behind": lambda x: x[:, t],
    "two indices": lambda x: x[t, t],
    "two indices behind": lambda x: x[:, t, t],
    "two indices apart": lambda x: x[t, :, t],
    "index from the end": lambda x: x[torch.tensor([-1, 0])],
    "gather": lambda x: x.gather(2, torch.zeros(2, 3, 1, dtype=torch.long)),
    "scatter": lambda x: torch.zeros(2, 3, 4).scatter(2, torch.ones(2, 3, 1, dtype=torch.long), x),
    "writes_parts": writes_parts,
    # Several outputs
    "max part": lambda x: x.max(dim=1)[0],
    "max values": lambda x: x.max(1).values,
    "max indices": lambda x: x.max(1).indices,
    "max of all": lambda x: x.max(),
    "both parts": both_parts,
    "min": lambda x: torch.min(x, dim=0)[1],
    "topk": lambda x: x.topk(2)[0],
    "topk indices": lambda x: x.topk(2).indices,
    "sort": lambda x: torch.sort(x)[0],
    "split": lambda x: x.split(1, 0)[1],
    "split by sizes": lambda x: x.split([1, 2], 1)[1],
    "chunk": lambda x: x.chunk(2, 2)[1],
    "one chunk": lambda x: x.chunk(1)[0],
    "halves": halves,
    "unbind": some_parts,
    "stack of unbind": lambda x: torch.stack(x.unbind(0)),
    # Dtypes
    "to": lambda x: x.to(torch.float64),
    "double": lambda x: x.double() + x.float(),
    "int and bool": lambda x: x.int() + x.bool(),
    "half": lambda x: x.half().float(),
    "type_as": lambda x: t.type_as(x),
    # Arithmetic
    "reflected sub": lambda x: 1 - x,
    "reflected div": lambda x: 1 / x,
    "reflected pow": lambda x: 2**x,
    "floor div": lambda x: x // 0.5,
    "remainder": lambda x: x % 2,
    "matmul": lambda x: x @ w.t(),
    "neg": lambda x: -x,
    "invert": lambda x: ~(x > 0),
    "and": lambda x: (x > 0) & (x < 1),
    "add alpha": lambda x: torch.add(x, x, alpha=3),
    "div floor": lambda x: torch.div(x, 2, rounding_mode="floor"),
    "lerp": lambda x: torch.lerp(x, x + 1, 0.3),
    "addmm": lambda x: torch.addmm(b, x[0], w.t()),
    "outer": lambda x: torch.outer(b, b) + x[0, 0, 0],
    "isclose": lambda x: torch.isclose(x, x),
    "isnan": lambda x: x.isnan(),
    "round": lambda x: torch.round(x * 10),
    "clamp": lambda x: x.clamp(min=0),
    "clamp both": lambda x: torch.clamp(x, -1, 1),
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "where method": lambda x: x.where(x > 0, x + 1),
    "masked_fill": lambda x: x.masked_fill(x > 0, 0.0),
    "einsum": lambda x: torch.einsum("bij,bkj->bik", x, x),
    # Reductions
    "sum": lambda x: x.sum(dim=(0, 1), keepdim=True),
    "sum by name": lambda x: torch.sum(input=x, dim=1),
    "norm": lambda x: x.norm(dim=-1),
    "std": lambda x: x.std(0),
    "var": lambda x: torch.var(x, dim=1, unbiased=False),
    "mean": lambda x: x.pow(2).mean(),
    "logsumexp": lambda x: x.logsumexp(-1),
    "any": lambda x: (x > 0).any(),
    "argmax": lambda x: x.argmax(-1),
    "amax": lambda x: x.amax((0, 2)),
    "cumsum": lambda x: x.cumsum(1),
    # Shapes
    "cat": lambda x: torch.cat([x, x], 1),
    "stack": lambda x: torch.stack((x, x)),
    "permute": lambda x: x.permute(2, 0, 1).reshape(-1, 6),
    "view": lambda x: x.view(-1),
    "T": lambda x: x[0].T,
    "mT": lambda x: x.mT,
    "flatten": lambda x: x.flatten(1),
    "expand": lambda x: x[0].unsqueeze(0).expand(3, -1, -1),
    "repeat": lambda x: x.repeat(1, 2, 1),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 0),
    "roll": lambda x: x.roll(1, 0),
    "tril": lambda x: x.tril(),
    "contiguous": lambda x: x.transpose(0, 1).contiguous(),
    # New tensors, in place
    "full": lambda x: torch.full((2, 3), 1.5) + x[..., 0],
    "arange": lambda x: torch.arange(4) + x,
    "arange of a size": lambda x: torch.arange(x.shape[1]) + x[..., 0],
    "linspace": lambda x: torch.linspace(0, 1, x.size(2)) + x,
    "eye": lambda x: torch.eye(x.size(2)) + x[:, :1],
    "new_zeros": lambda x: x.new_zeros(2) + 1,
    "zeros_like": lambda x: torch.zeros_like(x),
    "constant": lambda x: x + torch.tensor([1.0, 2.0, 3.0, 4.0]),
    "size": lambda x: x * x.shape[0],
    "methods in place": lambda x: x.clone().add_(1).mul_(2),
    "operators in place": in_place,
    "fill_": lambda x: x.clone().fill_(3),
    "zero_": lambda x: x.clone().zero_() + x,
    "copy_": lambda x: x.clone().copy_(x * 2),
    "relu_": lambda x: F.relu_(x.clone()),
}


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.allclose(a.double(), b.double(), atol=1e-5)


passed = 0
for name, function in cases.items():
    for dynamic in (False, True):
        torch._dynamo.reset()
        try:
            result = torch.compile(function, backend=backend, dynamic=dynamic)(x)
            if same(function(x), result):
                passed += 1
            else:
                print(name, dynamic, "differs")
        except Exception as error:
            print(name, dynamic, type(error).__name__, error)
print(passed, "of", 2 * len(cases))


def shows(gm, example_inputs):
    for node in gm.graph.nodes:
        if node.op == "call_function":
            key = node.args[1] if node.target is operator.getitem else ""
            print(node.name, node.op, node.target.__name__, key)
    lines = [line.strip() for line in gm.code.splitlines()]
    print([line.split(";")[0] for line in lines if line.startswith("getitem")][-1:])
    return gm.forward


def shown(x):
    largest = torch.max(x[:, 1:], dim=-1)
    return F.gelu(largest[0][1]), F.linear(x, w)[:, 0], largest[1]


torch._dynamo.reset()
torch.compile(shown, backend=shows)(x)


def replaces(gm, example_inputs):
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is F.gelu:
            node.target = F.silu
    gm.recompile()
    return gm.forward


torch._dynamo.reset()
print(torch.equal(torch.compile(lambda x: F.gelu(x[1:]), backend=replaces)(x), F.silu(x[1:])))

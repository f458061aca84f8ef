# Calls with arguments that PyTorch refuses, and its texts.
import torch
import torch.nn.functional as F


def attempt(label, run):
    try:
        result = run()
        print(label, result if not torch.is_tensor(result) else (result.dtype, result.tolist()))
    except Exception as error:
        print(label, type(error).__name__, str(error).split("\n")[0])


f, i, b, v, c = (torch.arange(6.0).reshape(2, 3), torch.arange(6).reshape(2, 3), torch.tensor([True, False]), torch.arange(4.0),
                 torch.arange(24.0).reshape(2, 3, 4))

# Integers and bools where floats are computed with.
for name in ("elu", "selu", "celu", "hardswish", "hardsigmoid", "hardshrink", "softshrink", "softplus", "gelu", "silu", "mish",
             "logsigmoid", "leaky_relu"):
    for x in (i, b, i.to(torch.uint8)):
        attempt(name, lambda: getattr(F, name)(x))
attempt("glu", lambda: F.glu(torch.arange(4)))
attempt("prelu", lambda: F.prelu(i, torch.tensor([1])))
attempt("prelu of two dtypes", lambda: F.prelu(f.bfloat16(), torch.tensor([0.25])))
attempt("threshold", lambda: F.threshold(b, 1, 2))
attempt("elu_", lambda: F.elu_(i.clone()))
attempt("lerp", lambda: torch.lerp(i, i, 0.5))
attempt("lerp by integers", lambda: torch.lerp(i, i, i))
attempt("mse of bools", lambda: F.mse_loss(b, b))
attempt("cross-entropy of logits", lambda: F.binary_cross_entropy_with_logits(i, i))
for op in (lambda x, y: x << y, lambda x, y: x >> y, torch.bitwise_left_shift):
    attempt("shift of bools", lambda: op(b, True))
    attempt("shift by bools", lambda: op(torch.tensor([1, 2]), b))
attempt("<<=", lambda: i.clone().__ilshift__(2.0))
attempt("&=", lambda: i.clone().bitwise_and_(2.5))
attempt("trace", lambda: torch.trace(torch.ones(2, 2, dtype=torch.bool)))
attempt("median", lambda: torch.median(b))
attempt("nanmedian", lambda: torch.nanmedian(b))
attempt("trapezoid", lambda: torch.trapezoid(b))
attempt("cumulative_trapezoid", lambda: torch.cumulative_trapezoid(b))
attempt("cov", lambda: torch.cov(b))

# Numbers that a dtype does not hold.
h = torch.ones(3, dtype=torch.float16)
u = torch.ones(3, dtype=torch.uint8)
for label, run in {
        "alpha": lambda x, n: torch.add(x, x, alpha=n), "in place": lambda x, n: x.clone().sub_(x, alpha=n),
        "clamp": lambda x, n: x.clamp(min=n), "clamp both": lambda x, n: torch.clamp(x, 0, n), "hardtanh": lambda x, n: F.hardtanh(x, 0, n),
        "pow": lambda x, n: x ** n, "value": lambda x, n: torch.addcmul(x, x, x, value=n), "weight": lambda x, n: x.lerp(x, n),
        "hardshrink": lambda x, n: F.hardshrink(x, n), "softshrink": lambda x, n: F.softshrink(x, n),
        "negative_slope": lambda x, n: F.leaky_relu(x, n), "elu": lambda x, n: F.elu(x, n), "softplus": lambda x, n: F.softplus(x, n),
        "threshold": lambda x, n: F.threshold(x, n, 0.0), "index_add": lambda x, n: x.index_add(0, torch.tensor([0]), x[:1], alpha=n)}.items():
    attempt(label + " float16", lambda: run(h, 1e5).isinf().any().item())
attempt("alpha float32", lambda: torch.add(h.float(), h.float(), alpha=1e39))
attempt("clamp float32", lambda: h.float().clamp(max=1e39))
attempt("weight float32", lambda: h.float().lerp(h.float(), 1e39))
attempt("value bfloat16", lambda: torch.addcdiv(h.bfloat16(), h.bfloat16(), h.bfloat16(), value=1e39))
for number in (0.5, 2.0, 1e5, 3.0):
    attempt("alpha float16", lambda: torch.add(h, h, alpha=number))
    attempt("full_like float16", lambda: torch.full_like(h, number))
    attempt("masked_fill float16", lambda: h.masked_fill(h > 0, number))
attempt("alpha uint8", lambda: torch.add(u, u, alpha=300))
attempt("value uint8", lambda: torch.addcmul(u, u, u, value=300))
attempt("wraps", lambda: u + 300)

# Arguments of other types.
for name, args in {"argmax": (), "cumsum": (), "softmax": (), "unsqueeze": (), "topk": (), "chunk": (), "tril": (), "kthvalue": ()}.items():
    attempt(name, lambda: getattr(torch, name)(f, True))
attempt("dim", lambda: f.argmax(dim=True))
attempt("addcmul", lambda: torch.addcmul(1, f, f))
attempt("gcd", lambda: torch.gcd(i, 2))
attempt("gcd of shapes", lambda: torch.gcd(torch.arange(2), torch.arange(3)))
attempt("gcd out", lambda: torch.gcd(i, i + 1, out=torch.empty(2, 3)))
attempt("lcm out", lambda: torch.lcm(i, i.to(torch.int8), out=torch.empty(0, dtype=torch.int8)))
attempt("gcd out of floats", lambda: torch.gcd(i, i.float(), out=torch.empty(0, dtype=torch.int8)))
attempt("gcd of bools", lambda: (torch.gcd(b, torch.tensor([3, 4])), torch.lcm(b, torch.tensor([3, 4], dtype=torch.uint8)).dtype))
attempt("gcd_", lambda: b.clone().gcd_(torch.tensor([1, 2])))
attempt("block_diag", lambda: torch.block_diag(f, c))
attempt("cartesian_prod", lambda: torch.cartesian_prod(f))
attempt("cartesian_prod", lambda: torch.cartesian_prod(v, f))
attempt("combinations", lambda: torch.combinations(torch.tensor(2.0)))
attempt("column_stack", lambda: torch.column_stack(f))
attempt("dstack", lambda: torch.dstack(f))
attempt("diff", lambda: torch.diff(f, -5))
attempt("meshgrid", lambda: torch.meshgrid(indexing="ij"))
attempt("mvlgamma", lambda: torch.mvlgamma(f, 1.5))
attempt("rot90", lambda: torch.rot90(f, 1.5))
attempt("scalar_tensor", lambda: torch.scalar_tensor(f))
attempt("unravel_index", lambda: torch.unravel_index(f, (2, 3)))
attempt("unravel_index", lambda: torch.unravel_index(torch.tensor([7]), (2, 3)))
attempt("unique", lambda: torch.unique(f, 1))
attempt("real", lambda: torch.real(1))
attempt("conj", lambda: torch.conj("x"))
attempt("pairwise_distance", lambda: F.pairwise_distance(f, 1))
attempt("split_with_sizes", lambda: torch.split_with_sizes(f, 1))
attempt("soft margin", lambda: F.soft_margin_loss(v, v.clone().requires_grad_()))

# Masks of attention.
for shape in ((), (3,), (1,), (3, 3), (2, 3, 3), (2, 2, 3, 3), (1, 1, 2, 3, 3), (4, 3), (3, 4)):
    for q in (torch.ones(1, 2, 3, 4), torch.ones(2, 3, 4), torch.ones(3, 4)):
        for mask in (torch.ones(shape), torch.ones(shape, dtype=torch.bool), torch.ones(shape, requires_grad=True)):
            attempt(f"mask {shape} {tuple(q.shape)}", lambda: F.scaled_dot_product_attention(q, q, q, mask).sum().item())


# What batch norm in evaluation keeps, and how its result lies.
def written(which):
    x = torch.ones(4, 3, requires_grad=True)
    h, mean, var = x * 2, torch.zeros(3), torch.ones(3)
    y = F.batch_norm(h, mean, var)
    {"input": h, "mean": mean, "var": var, "nothing": x.detach()}[which].mul_(2)
    y.sum().backward()
    return x.grad[0].tolist()


for which in ("input", "mean", "var", "nothing"):
    attempt("written " + which, lambda: written(which))
for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
    x = torch.arange(24.0).reshape(2, 3, 4).permute(order)
    for training in (False, True):
        y = F.batch_norm(x, torch.zeros(x.size(1)), torch.ones(x.size(1)), training=training)
        print(order, y.stride(), y.reshape(-1)[:3].tolist() == y.contiguous().view(-1)[:3].tolist())
x = torch.arange(48.0).reshape(2, 3, 4, 2)
for y in (x.permute(0, 3, 1, 2), x.permute(0, 2, 3, 1), x.transpose(0, 1), x.to(memory_format=torch.channels_last)):
    print(F.batch_norm(y, torch.zeros(y.size(1)), torch.ones(y.size(1))).stride())

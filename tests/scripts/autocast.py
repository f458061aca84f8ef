# tolerance: 1e-2
# Operators under torch.autocast on the processor: their dtypes, gradients, contexts and decorators.
import torch
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


torch.manual_seed(0)
x, y, t = torch.rand(4, 4) + 0.1, torch.rand(4, 4) + 0.1, torch.tensor([0, 3, 1, 2])
image, kernel = torch.rand(1, 4, 6, 6), torch.rand(4, 4, 3, 3)
CALLS = {
    "mm": lambda x, y: x.mm(y),
    "matmul": lambda x, y: x @ y,
    "bmm": lambda x, y: x[None].bmm(y[None]),
    "addmm": lambda x, y: torch.addmm(x, x, y),
    "baddbmm": lambda x, y: torch.baddbmm(x[None], x[None], y[None]),
    "addbmm": lambda x, y: torch.addbmm(x, x[None], y[None]),
    "linear": lambda x, y: F.linear(x, y, x[0]),
    "conv2d": lambda x, y: F.conv2d(image.to(x.dtype), kernel.to(y.dtype)),
    "prelu": lambda x, y: F.prelu(x, y[0]),
    "einsum": lambda x, y: torch.einsum("ij,jk->ik", x, y),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "l1_loss": lambda x, y: F.l1_loss(x, y),
    "smooth_l1_loss": lambda x, y: F.smooth_l1_loss(x, y),
    "huber_loss": lambda x, y: F.huber_loss(x, y),
    "bce": lambda x, y: F.binary_cross_entropy(x.clamp(0, 1), y.clamp(0, 1)),
    "bce with logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y),
    "nll_loss": lambda x, y: F.nll_loss(x, t),
    "cross_entropy": lambda x, y: F.cross_entropy(x, t),
    "prod": lambda x, y: x.prod(0),
    "trace": lambda x, y: x.trace(),
    "cdist": lambda x, y: torch.cdist(x, y),
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "pow": lambda x, y: x**2,
    "exp": lambda x, y: x.exp(),
    "sum": lambda x, y: x.sum(),
    "softmax": lambda x, y: x.softmax(0),
    "outer": lambda x, y: torch.outer(x[0], y[0]),
    "relu": lambda x, y: x.relu(),
    "gelu": lambda x, y: F.gelu(x),
    "mean": lambda x, y: x.mean(),
    "cumsum": lambda x, y: x.cumsum(0),
    "layer_norm": lambda x, y: F.layer_norm(x, (4,)),
    "in place": lambda x, y: x.clone().addmm_(x, x),
    "integers": lambda x, y: torch.ones(2, 2, dtype=torch.int64) @ torch.ones(2, 2, dtype=torch.int64),
}
PAIRS = ((x, y), (x.bfloat16(), y.bfloat16()), (x, y.bfloat16()), (x.double(), y.double()))
for what, call in CALLS.items():
    dtypes = []
    for a, b in PAIRS:
        with torch.autocast("cpu"):
            dtypes.append(str(call(a, b).dtype)[6:])
    with torch.autocast("cpu", dtype=torch.float16):
        dtypes.append(str(call(x, y).dtype)[6:])
    with torch.autocast("cpu", enabled=False):
        dtypes.append(str(call(x, y).dtype)[6:])
    print(what, *dtypes)
with torch.autocast("cpu"):
    print(x @ y, (x @ y).float() - x @ y)
    attempt("several", lambda: torch.cat([x.half(), x.half()]))
    attempt("mm", lambda: torch.mm(x, y, out=torch.empty(4, 4)).dtype)
    print(F.mse_loss(x.bfloat16(), y.bfloat16()), (x @ y).prod())

# The state.
print(torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"),
      torch.get_autocast_dtype("cuda"), torch.is_autocast_enabled(), torch.is_autocast_cache_enabled())
with torch.autocast("cpu") as context:
    print(torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda"), type(context).__name__)
    with torch.autocast(device_type="cpu", enabled=False):
        print(torch.is_autocast_enabled("cpu"), (x @ y).dtype)
    with torch.autocast("cpu", dtype=torch.float16, cache_enabled=False):
        print(torch.get_autocast_dtype("cpu"), (x @ y).dtype, torch.is_autocast_cache_enabled())
        with context:
            print(torch.get_autocast_dtype("cpu"), (x @ y).dtype)
        print((x @ y).dtype)
    print(torch.get_autocast_dtype("cpu"), (x @ y).dtype)
print(torch.is_autocast_enabled("cpu"), (x @ y).dtype)
try:
    with torch.autocast("cpu"):
        raise ValueError("inside")
except ValueError as error:
    print(error, torch.is_autocast_enabled("cpu"))
torch.set_autocast_cache_enabled(True)
print(torch.amp.autocast is torch.autocast, torch.amp.is_autocast_available("cpu"))
attempt("device", lambda: torch.autocast("abc"))
attempt("number", lambda: torch.autocast(3))
attempt("function", lambda: torch.autocast("cpu")(3))
torch.set_autocast_enabled("cpu", True)
torch.set_autocast_dtype("cpu", torch.float16)
print((x @ y).dtype)
torch.set_autocast_enabled("cpu", False)
torch.set_autocast_dtype("cpu", torch.bfloat16)


@torch.autocast("cpu")
def decorated(a, b):
    """Multiplies."""
    return a @ b


print(decorated(x, y).dtype, decorated.__name__, decorated.__doc__, (x @ y).dtype)


# Gradients have the dtype of what they belong to; backward runs outside.
w = torch.nn.Parameter(torch.arange(16.0).view(4, 4) / 16)
b = torch.nn.Parameter(torch.ones(4))
with torch.autocast("cpu"):
    hidden = F.linear(x, w, b)
    print(hidden.dtype, hidden.grad_fn.name(), hidden.requires_grad)
    again = F.linear(hidden.relu(), w)
    loss = F.mse_loss(again, y)
    print(again.dtype, loss.dtype)
loss.backward()
print(w.grad.dtype, b.grad.dtype)
print(w.grad, b.grad)


class Scale(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x):
        print("forward", x.dtype, torch.is_autocast_enabled("cpu"))
        return x * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        print("backward", gradient.dtype, torch.is_autocast_enabled("cpu"))
        return gradient * 2


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x @ x

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        print("backward", torch.is_autocast_enabled("cpu"), (gradient @ x).dtype)
        return (gradient @ x.t() + x.t() @ gradient).float()


leaf = torch.ones(2, 2, requires_grad=True)
with torch.autocast("cpu"):
    made = Scale.apply(leaf.bfloat16() @ leaf)
    product = Product.apply(leaf)
made.sum().backward()
print(made.dtype, leaf.grad)
product.sum().backward()
print(product.dtype, leaf.grad)

# A model, trained.
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.GELU(), torch.nn.LayerNorm(16),
                            torch.nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        output = model(x)
        loss = F.cross_entropy(output, t)
    loss.backward()
    optimizer.step()
    print(step, output.dtype, loss.dtype, f"{loss.item():.2f}", model[0].weight.grad.dtype)

# torch.autocast on a GPU: float16, another list of operators, and losses that are scaled. The output
# is recorded.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.rand(4, 4).cuda() + 0.1, torch.rand(4, 4).cuda() + 0.1
t = torch.tensor([0, 3, 1, 2]).cuda()
CALLS = {
    "matmul": lambda x, y: x @ y,
    "mv": lambda x, y: x.mv(y[0]),
    "addmm": lambda x, y: torch.addmm(x, x, y),
    "linear": lambda x, y: F.linear(x, y, x[0]),
    "exp": lambda x, y: x.exp(),
    "log": lambda x, y: x.log(),
    "power": lambda x, y: x**2,
    "power of tensors": lambda x, y: x**y,
    "power of a number": lambda x, y: 2**x,
    "quotient": lambda x, y: 1 / x,
    "rsqrt": lambda x, y: x.rsqrt(),
    "softplus": lambda x, y: F.softplus(x),
    "sum": lambda x, y: x.sum(),
    "sum in float16": lambda x, y: x.sum(dtype=torch.float16),
    "sum of ints": lambda x, y: t.sum(),
    "mean": lambda x, y: x.mean(),
    "prod": lambda x, y: x.prod(0),
    "cumsum": lambda x, y: x.cumsum(0),
    "norm": lambda x, y: x.norm(),
    "softmax": lambda x, y: x.softmax(0),
    "log_softmax": lambda x, y: F.log_softmax(x, 0),
    "layer_norm": lambda x, y: F.layer_norm(x, (4,)),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x, t),
    "add": lambda x, y: x + y,
    "relu": lambda x, y: x.relu(),
    "sigmoid": lambda x, y: x.sigmoid(),
    "cat": lambda x, y: torch.cat([x, y]),
    "addcmul": lambda x, y: torch.addcmul(x, x, y),
    "atan2": lambda x, y: torch.atan2(x, y),
}
PAIRS = ((x, y), (x.half(), y.half()), (x, y.half()), (x.double(), y.double()))
for what, call in CALLS.items():
    dtypes = []
    for function in (call, torch.compile(call)):
        for a, b in PAIRS:
            with torch.autocast("cuda"):
                try:
                    dtypes.append(str(function(a, b).dtype)[6:])
                except RuntimeError:
                    dtypes.append("error")
    print(what, *dtypes[:4], dtypes[:4] == dtypes[4:])
with torch.autocast("cuda", dtype=torch.bfloat16):
    print((x @ y).dtype, (x.cpu() @ y.cpu()).dtype)
with torch.autocast("cpu"):
    print((x @ y).dtype, (x.cpu() @ y.cpu()).dtype)
with torch.autocast("cuda"):
    try:
        F.binary_cross_entropy(x.clamp(0, 1), y.clamp(0, 1))
    except RuntimeError as error:
        print(error)
    print(torch.is_autocast_enabled(), torch.get_autocast_dtype("cuda"))

# A training loop, eager and compiled.
for compiles in (False, True):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4)).cuda()
    run = torch.compile(model) if compiles else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**20)
    for _ in range(6):
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(run(x), t)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(f"{loss.item():.2f}", loss.dtype, scaler.get_scale())

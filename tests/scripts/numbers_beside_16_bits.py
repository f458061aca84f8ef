# Numbers beside 16-bit floats, to the last bit: products and quotients take them in float32, blends
# compute in float32 whole, and what is multiplied and added is rounded once.
import torch


def elements(dtype, count=192):
    values = []
    state = 12345
    for i in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        values.append((state / 2147483648 - 0.5) * [1.0, 10.0, 1000.0, 0.01, 60000.0][i % 5])
    values[7:15] = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1.0, -1.0, 65504.0]
    return torch.tensor(values).to(dtype)


def digest(x):
    """A number that all bits of the elements take part in."""
    words = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    bits = torch.where(x.isnan(), torch.zeros_like(x), x).contiguous().reshape(-1).view(words)
    weights = torch.arange(1, bits.numel() + 1) * 2654435761 % 1000003
    return str(x.dtype)[6:], tuple(x.shape), (bits.long() * weights).sum().item()


numbers = [0.1, -0.3, 3, 1e6, 1e-6, 100000.0, 257, 2049, 1.0009765625, float("inf"), 2.0]
functions = {
    "x * n": lambda x, n: x * n, "n * x": lambda x, n: n * x, "x / n": lambda x, n: x / n,
    "n / x": lambda x, n: n / x, "x // n": lambda x, n: x // n, "x + n": lambda x, n: x + n,
    "n - x": lambda x, n: n - x, "x % n": lambda x, n: x % n, "x < n": lambda x, n: (x < n).half(),
    "trunc": lambda x, n: torch.div(x, n, rounding_mode="trunc"),
    "floor": lambda x, n: torch.div(x, n, rounding_mode="floor"),
    "lerp": lambda x, n: torch.lerp(x, x.flip(0), n),
    "addcmul": lambda x, n: torch.addcmul(x, x.flip(0), x, value=n),
    "addcdiv": lambda x, n: torch.addcdiv(x, x.flip(0), x, value=n),
    "*= n": lambda x, n: x.clone().mul_(n), "/= n": lambda x, n: x.clone().div_(n),
    "//= n": lambda x, n: x.clone().floor_divide_(n),
    "lerp_": lambda x, n: x.clone().lerp_(x.flip(0), n),
    "addcmul_": lambda x, n: x.clone().addcmul_(x.flip(0), x, value=n),
    "addcdiv_": lambda x, n: x.clone().addcdiv_(x.flip(0), x, value=n),
    "turned": lambda x, n: x.reshape(3, 64).t() * n, "short rows": lambda x, n: x.reshape(-1, 4)[:, :3] * n,
    "steps": lambda x, n: x[::2] / n, "0-dim float32": lambda x, n: x * torch.tensor(n, dtype=torch.float32),
    "0-dim float64": lambda x, n: x / torch.tensor(n, dtype=torch.float64),
    "0-dim on the left": lambda x, n: torch.tensor(n, dtype=torch.float32) * x,
    "one element": lambda x, n: x[3:4] * n, "0-dim": lambda x, n: x[3] / n, "one //= n": lambda x, n: x[3:4].clone().floor_divide_(n),
    "leaky_relu": lambda x, n: torch.nn.functional.leaky_relu(x, n),
}
for dtype in (torch.bfloat16, torch.float16):
    x = elements(dtype)
    for name, function in functions.items():
        print(name, *digest(torch.cat([function(x, n).reshape(-1) for n in numbers])))
    for n in (0.1, -0.3, 3, 257.0, 1000.5):
        print(n, *digest(torch.add(x, x.flip(0), alpha=n)), *digest(torch.sub(x, x.flip(0), alpha=n)),
              *digest(torch.add(x, 0.1, alpha=n)), *digest(torch.rsub(x, 0.3, alpha=n)),
              *digest(x.clone().add_(x.flip(0), alpha=n)))
    print((x * 0.1 + x / 3).dtype, (torch.arange(3) * torch.tensor(0.3, dtype=dtype)).dtype)
    print(*digest(torch.arange(64).reshape(8, 8) * torch.tensor(0.3, dtype=dtype)))

# Sums with a factor, of wider floats too.
for dtype in (torch.float32, torch.float64):
    x = torch.arange(96, dtype=dtype).reshape(8, 12) / 16 - 3
    y = (x * 1.7 + 0.3) * x
    for n in (0.1, -0.3, 0.7, 3, 0.9):
        print(n, *digest(torch.add(x, y, alpha=n)), *digest(torch.sub(x, y, alpha=n)), *digest(torch.lerp(x, y, n)),
              *digest(torch.addcmul(x, y, y, value=n)), *digest(torch.addcdiv(x, y, y, value=n)),
              *digest(torch.lerp(x, y, y)), *digest(x.t().contiguous().t().add(y, alpha=n)),
              *digest(x[:, :1].add(y, alpha=n)), *digest(torch.add(x, y[0, 0], alpha=n)))
    print(*digest(torch.add(torch.arange(12), x, alpha=0.3)), *digest(torch.add(x, True, alpha=0.3)))

print(torch.add(torch.arange(3, dtype=torch.uint8), 300, alpha=2), torch.sub(torch.arange(3), 2, alpha=-3))

# An optimiser's steps.
for dtype in (torch.bfloat16, torch.float32):
    for make in (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01), lambda p: torch.optim.Adam(p, lr=0.1),
                 lambda p: torch.optim.AdamW(p, lr=0.03), lambda p: torch.optim.RMSprop(p, lr=0.01)):
        w = (torch.arange(64) / 32 - 1).to(dtype).requires_grad_()
        optimiser = make([w])
        for step in range(5):
            w.grad = (w.detach() * 3 - 1).square() - 0.5
            optimiser.step()
        print(*digest(w.detach()))

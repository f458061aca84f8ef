# Matrix products in every dtype, layout and batch form, and what follows them.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def show(x):
    print(x.dtype, tuple(x.shape), x.float().mul(64).round().int().flatten()[:6].tolist())


def made(*sizes, dtype=torch.float32):
    return torch.randint(-8, 9, sizes).div(8).to(dtype).to(device)


for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
    a, b = made(5, 6, dtype=dtype), made(6, 7, dtype=dtype)
    show(a @ b)
    show(a.t().contiguous().t() @ b)
    show(a @ b.t().contiguous().t())
    show(torch.addmm(made(7, dtype=dtype), a, b))
    show(torch.addmm(made(5, 7, dtype=dtype), a, b, beta=0.5, alpha=2))
    show(torch.nn.functional.linear(made(2, 3, 6, dtype=dtype), b.t(), made(7, dtype=dtype)))
    x, y = made(3, 5, 6, dtype=dtype), made(3, 6, 4, dtype=dtype)
    show(torch.bmm(x, y))
    show(torch.baddbmm(made(3, 5, 4, dtype=dtype), x, y))
    show(x.transpose(1, 2) @ x)
    show(x @ b)

# Strides that no library takes: every second column, rows that overlap, one row for all.
a = made(8, 12)
show(a[:, ::2] @ made(6, 3))
show(a[::2] @ made(12, 3))
show(a.as_strided((5, 6), (1, 1)) @ made(6, 3))
show(a[:1].expand(4, 12) @ made(12, 3))
show(made(1, 6).t() @ made(1, 5))
show(made(4, 0) @ made(0, 3))
show(made(0, 4) @ made(4, 3))
show(a[1:, 3:] @ made(9, 5)[:, 1:])
show(torch.arange(12, device=device).reshape(3, 4) @ torch.arange(8, device=device).reshape(4, 2))
show(made(3, 40) @ made(40, 2))
show(made(3, 13) @ made(13, 2))


@torch.compile
def layers(x, w, b, v):
    h = torch.relu(x @ w + b)
    g = torch.nn.functional.gelu(torch.nn.functional.linear(h, v), approximate="tanh")
    return h, g, torch.sigmoid(g @ v), torch.tanh(h @ w.t())


for dtype in (torch.float32, torch.float64, torch.bfloat16):
    for rows in (3, 4):
        for result in layers(made(rows, 6, dtype=dtype), made(6, 8, dtype=dtype),
                             made(8, dtype=dtype), made(8, 8, dtype=dtype)):
            show(result)

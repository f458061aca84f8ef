# tolerance: 1e-4
# Attention of four dimensions is one operator: its results and gradients, with masks of every kind.
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def made(*sizes, dtype=torch.float32):
    count = 1
    for size in sizes:
        count *= size
    values = torch.arange(count, dtype=torch.float64) * 0.37
    return (values.sin() * 1.5).reshape(sizes).to(dtype).requires_grad_()


def show(name, q, k, v, **options):
    out = F.scaled_dot_product_attention(q, k, v, **options)
    print(name, tuple(out.shape), out.stride(), out.dtype, out.grad_fn.name())
    weights = torch.arange(out.numel(), dtype=torch.float64).cos().reshape(out.shape).to(out.dtype)
    grads = torch.autograd.grad(out, (q, k, v), weights)
    for each in (out, *grads):
        print("  ", each.double().abs().sum().item(), [round(number, 5) for number in each.double().flatten()[:3].tolist()])


q, k, v = made(2, 3, 5, 8), made(2, 3, 7, 8), made(2, 3, 7, 8)
show("plain", q, k, v)
show("causal", q, k, v, is_causal=True)
show("causal, fewer keys", k, q, q, is_causal=True)
show("scale", q, k, v, scale=0.3)
show("bool mask", q, k, v, attn_mask=torch.ones(5, 7, dtype=torch.bool).tril(1))
show("bool mask of keys", q, k, v, attn_mask=(torch.arange(7) < 4).expand(2, 1, 1, 7))
show("float mask", q, k, v, attn_mask=torch.arange(35.0).reshape(5, 7).sin())
show("float mask of heads", q, k, v, attn_mask=torch.arange(105.0).reshape(1, 3, 5, 7).sin())
show("mask of queries", q, k, v, attn_mask=torch.arange(10.0).reshape(2, 1, 5, 1))
blind = torch.ones(5, 7, dtype=torch.bool)
blind[2] = False
show("who sees nothing", q, k, v, attn_mask=blind)
lowest = torch.zeros(5, 7)
lowest[1] = float("-inf")
show("who sees nothing, added", q, k, v, attn_mask=lowest)
show("double", *(made(2, 3, 5, 8, dtype=torch.float64) for _ in range(3)), is_causal=True)
show("long", made(1, 2, 200, 16), made(1, 2, 200, 16), made(1, 2, 200, 16), is_causal=True)
show("longer keys", made(1, 2, 70, 16), made(1, 2, 3000, 16), made(1, 2, 3000, 16))
show("one key", made(1, 1, 3, 1), made(1, 1, 1, 1), made(1, 1, 1, 1))

# Heads side by side in one tensor, as models have them; the output's rows are next to each other.
x = made(2, 6, 3 * 12)
q, k, v = (part.view(2, 6, 3, 4).transpose(1, 2) for part in x.split(12, dim=2))
y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).view(2, 6, 12)
print(y.is_contiguous(), y.sum().item())
y.square().sum().backward()
print(x.grad.abs().sum().item(), [round(number, 4) for number in x.grad[0, 1, :3].tolist()])

# What goes other ways: three dimensions, a mask with a gradient, other widths.
q, k, v = made(3, 5, 4), made(3, 6, 4), made(3, 6, 4)
print(F.scaled_dot_product_attention(q, k, v).sum().item())
mask = made(5, 6)
q, k, v = made(1, 3, 5, 4), made(1, 3, 6, 4), made(1, 3, 6, 2)
out = F.scaled_dot_product_attention(q, k, v)
print(out.sum().item(), out.shape)
v = made(1, 3, 6, 4)
out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
out.square().sum().backward()
print(out.sum().item(), mask.grad.abs().sum().item(), q.grad.abs().sum().item())

# Groups of heads share keys.
q, k, v = made(2, 6, 5, 4), made(2, 2, 5, 4), made(2, 2, 5, 4)
out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
out.square().sum().backward()
print(out.sum().item(), k.grad.abs().sum().item(), v.grad.abs().sum().item())

# 16 bits.
for dtype in (torch.bfloat16, torch.float16):
    q, k, v = (made(1, 2, 8, 8, dtype=dtype) for _ in range(3))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    out.sum().backward()
    print(out.dtype, q.grad.dtype, round(out.double().sum().item(), 1), round(v.grad.double().sum().item()))

# What does not fit.
q, k, v = made(1, 2, 3, 4), made(1, 2, 3, 4), made(1, 2, 3, 4)
for arguments in ((q, k.double(), v), (q, k, v, torch.zeros(3, 3, dtype=torch.int64)),
                  (q, k, v, torch.zeros(3, 3, dtype=torch.float64)), (q, k, v, torch.zeros(2, 3))):
    try:
        F.scaled_dot_product_attention(*arguments)
    except RuntimeError as error:
        print(error)

# Under autocast everything becomes of the lower dtype, but for float64.
q, k, v = made(1, 2, 4, 8), made(1, 2, 4, 8), made(1, 2, 4, 8)
with torch.autocast("cpu", dtype=torch.bfloat16):
    for options in ({}, {"attn_mask": torch.zeros(4, 4)}, {"is_causal": True}):
        out = F.scaled_dot_product_attention(q, k, v, **options)
        print(out.dtype, out.grad_fn.name(), round(out.float().abs().mean().item(), 1))
    print(F.scaled_dot_product_attention(q.bfloat16(), k, v).dtype)
    print(F.scaled_dot_product_attention(q.double(), k.double(), v.double()).dtype)
    print(F.scaled_dot_product_attention(q[0], k[0], v[0]).dtype)

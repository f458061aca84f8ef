# Joins of many tensors: any count is done by one program, in launches of 32 parts, and compiled
# code turns the parts in the shared memory of one.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"


def launches(f):
    f()
    before = glint.cuda.launches(), glint.cuda.copies()
    f()
    assert glint.cuda.copies() == before[1], "nothing is copied"
    return glint.cuda.launches() - before[0]


def same(f, *inputs):
    near, far = f(*inputs), f(*[x.to(device) for x in inputs])
    assert near.dtype == far.dtype and near.shape == far.shape, (near, far)
    assert torch.equal(near, far.cpu()), (near, far)


x = torch.arange(48.0).reshape(8, 6)
forms = [
    lambda x, n: torch.cat([x + i for i in range(n)]),
    lambda x, n: torch.cat([x + i for i in range(n)], 1),
    lambda x, n: torch.stack([(x + i).t() for i in range(n)], 1),
    lambda x, n: torch.stack([x[i % 8, i % 6] for i in range(n)]),
    lambda x, n: torch.cat([(x + i)[: i % 9, ::2] for i in range(n)]),
    lambda x, n: torch.hstack([(x + i).t() for i in range(n)]),
    lambda x, n: torch.vstack([x[i % 8] for i in range(n)]),
    lambda x, n: torch.cat([x[0, :0], *[x + i for i in range(n)]]),
]
for form in forms:
    for n in (1, 4, 5, 33, 70):
        same(lambda x: form(x, n), x)

# Other dtypes, and several of them in one join.
for dtype in (torch.int64, torch.uint8, torch.bool, torch.float64, torch.bfloat16, torch.float16):
    same(lambda x: torch.cat([x.t()] * 9), x.to(dtype))
same(lambda x, i, h: torch.cat([x, i, h.t()[:8]] * 7, 1), x, x.long(), torch.ones(6, 8).half())
same(lambda i, b: torch.cat([i, b] * 7), x.long(), x > 3)
same(lambda x: torch.cat([x.transpose(1, 3)] * 6, 2), torch.rand(2, 3, 4, 5, 2))

# No new program for a new count, and few launches.
far = [x.to(device) + i for i in range(300)]
numbers = [each[1, 2] for each in far]
torch.stack(far[:10]), torch.stack(numbers[:10]), torch.cat(far[:3])
programs = glint.cuda.programs()
counts = [
    launches(lambda: torch.stack(far)),
    launches(lambda: torch.cat(far[:64])),
    launches(lambda: torch.stack(numbers[:150])),
    launches(lambda: torch.cat(far[:3])),
]
assert counts == ([10, 2, 5, 1] if device == "cuda" else [0] * 4), counts
assert glint.cuda.programs() == programs

# Gradients get back to their parts.
parts = [(x.to(device) + i).requires_grad_() for i in range(40)]
(torch.cat(parts) * torch.arange(320.0, device=device)[:, None]).sum().backward()
assert torch.equal(parts[7].grad[:, 0].cpu(), torch.arange(56.0, 64.0))

# Compiled: one kernel, which needs no more shared memory than a join of one.
for dtype in (torch.float32, torch.int64):
    turned = torch.arange(40.0 * 36).reshape(40, 36).to(dtype)
    for join in (lambda x: torch.cat([x.t()] * 40), lambda x: torch.stack([x.t(), x.t() + 1] * 10)):
        assert torch.equal(torch.compile(join)(turned.to(device)).cpu(), join(turned))
print("joined")

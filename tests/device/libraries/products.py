# What NVIDIA's libraries are asked for. They are stand-ins, and the output is recorded.
import torch
import glint.cuda
from torch.nn import functional as F


def counted(run):
    """Launches of a second call, and how many of these are the library's."""
    run()
    launches, calls = glint.cuda.launches(), glint.cuda.library_calls()
    run()
    return glint.cuda.launches() - launches, glint.cuda.library_calls() - calls


def made(*sizes, dtype=torch.float32):
    return torch.randn(*sizes, device="cuda", dtype=dtype)


torch.manual_seed(0)
x, w, b, several = made(5, 6), made(6, 7), made(7), made(2, 5, 6)
print("products", counted(lambda: x @ w), counted(lambda: torch.addmm(b, x, w)),
      counted(lambda: F.linear(x, w.t(), b)), counted(lambda: several @ w),
      counted(lambda: torch.bmm(x.expand(3, 5, 6), w.expand(3, 6, 7))))

compiled = {
    "relu": torch.compile(lambda x, w, b: torch.relu(x @ w + b)),
    "gelu by tanh": torch.compile(lambda x, w, b: F.gelu(x @ w + b, approximate="tanh")),
    "gelu by erf": torch.compile(lambda x, w, b: F.gelu(x @ w + b)),
    "sigmoid": torch.compile(lambda x, w, b: torch.sigmoid(x @ w)),
}
for name, f in compiled.items():
    print(name, *[counted(lambda: f(*[t.to(dtype) for t in (x, w, b)]))
                  for dtype in (torch.float32, torch.bfloat16)])
double = [t.double() for t in (x, w, b)]  # of which the library does no epilogue
print("float64", counted(lambda: compiled["relu"](*double)))
# A matrix that is added; by columns, it follows the product, as does one for all of a batch.
c, whole, turned = made(5, 7), made(2, 5, 7), made(7, 5).t()
print("sums", counted(lambda: torch.addmm(c, x, w)), counted(lambda: torch.addmm(c, x, w, beta=0.5, alpha=2)),
      counted(lambda: torch.addmm(b, x, w, beta=2)), counted(lambda: torch.baddbmm(whole, several, w.expand(2, 6, 7))),
      counted(lambda: torch.addmv(c[:, 1], x, w[:, 0])), counted(lambda: torch.addmm(turned, x, w)),
      counted(lambda: torch.baddbmm(c, several, w.expand(2, 6, 7))))
summed = torch.compile(lambda c, x, w: (x @ w + c, torch.relu(x @ w + c), torch.tanh(x @ w + c)))
print("compiled sums", counted(lambda: summed(c, x, w)))

# No plan for it: neither rows nor columns in order, 13 inner elements, integers, nothing to add.
loose, odd, narrow = made(5, 12)[:, ::2], made(5, 13), made(13, 2)
print("ours", counted(lambda: loose @ w), counted(lambda: odd @ narrow),
      counted(lambda: torch.ones(2, 3, device="cuda").long() @ torch.ones(3, 2, device="cuda").long()),
      counted(lambda: made(3, 0) @ made(0, 2)))

# Many kinds of products: only the last few hundred plans are kept.
for rows in range(1, 400):
    assert torch.equal(torch.ones(rows, 1, device="cuda") @ w[:1], w[:1].expand(rows, 7))

# Operands that lie as loosely as they may.
loose = made(9, 9)[1:6, 3:9]
print(torch.allclose(loose @ w, loose.clone() @ w), counted(lambda: loose @ w)[1])

# TF32 drops the last bits of operands, where it is allowed.
fine = torch.full((1, 1), 1 + 2.0**-20, device="cuda")
print(torch.get_float32_matmul_precision(), torch.backends.cuda.matmul.allow_tf32)
print((fine @ fine).item() == 1)
torch.set_float32_matmul_precision("high")
print((fine @ fine).item() == 1, torch.backends.cuda.matmul.allow_tf32)
torch.backends.cuda.matmul.allow_tf32 = False
print((fine @ fine).item() == 1, torch.get_float32_matmul_precision())


# Recorded launches, with the library's calls between them.
@torch.compile(mode="reduce-overhead")
def layers(x, w, b):
    h = torch.relu((x * 2).exp() @ w + b)
    return (h + 1).log() - h.sum(dim=1, keepdim=True)


for _ in range(3):
    got, wanted = layers(x, w, b), layers(x.cpu(), w.cpu(), b.cpu())
    print(torch.allclose(got.cpu(), wanted, atol=1e-4), counted(lambda: layers(x, w, b)))

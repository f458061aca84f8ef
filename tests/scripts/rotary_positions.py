# tolerance: 1e-4
# Rotary positions as LLaMA writes them, in complex numbers: eager, compiled, trained through.
import warnings

import torch

warnings.filterwarnings("ignore")  # of PyTorch's compiler, which leaves complex operators to eager ones

def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs).float()
    return torch.polar(torch.ones_like(freqs), freqs)
def reshape_for_broadcast(freqs_cis, x):
    ndim = x.ndim
    assert freqs_cis.shape == (x.shape[1], x.shape[-1])
    shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs_cis.view(*shape)
def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = reshape_for_broadcast(freqs_cis, xq_)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)
torch.manual_seed(0)
f = precompute_freqs_cis(8, 6)
print(f, f.shape, f.dtype, f[2:4].shape)
q, k = torch.randn(2, 6, 3, 8, requires_grad=True), torch.randn(2, 6, 3, 8)
a, b = apply_rotary_emb(q, k, f)
print(a[0, 1], b.sum())
(a * torch.arange(8.)).sum().backward()
print(q.grad[1, 3])
print(isinstance(f, torch.Tensor), type(f), f.is_complex(), torch.is_complex(f))
g = torch.compile(apply_rotary_emb)
for i in range(3):
    c, d = g(q, k, f)
    print((a-c).abs().max().item(), (b-d).abs().max().item())


class Attention(torch.nn.Module):
    def __init__(self, dim=16, heads=2, longest=12):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(dim, 3 * dim, bias=False)
        self.register_buffer("freqs_cis", precompute_freqs_cis(dim // heads, longest), persistent=False)

    def forward(self, x, start):
        b, t, _ = x.shape
        q, k, v = [part.view(b, t, self.heads, -1) for part in self.qkv(x).chunk(3, -1)]
        q, k = apply_rotary_emb(q, k, self.freqs_cis[start:start + t])
        out = torch.nn.functional.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True)
        return out.transpose(1, 2).flatten(2)


torch.manual_seed(1)
model = Attention().to("cpu")
x = torch.randn(2, 5, 16)
print(model(x, 0)[0, 1], model(x, 3)[1, 4], model.freqs_cis.dtype, list(model.state_dict()))
model(x, 2).square().sum().backward()
eager = model.qkv.weight.grad.clone()
print(eager.sum(), eager[0])
model.zero_grad()
compiled = torch.compile(model)
for start in (2, 2, 4):
    print(torch.allclose(compiled(x, start), model(x, start), atol=1e-5))
compiled(x, 2).square().sum().backward()
print(torch.allclose(model.qkv.weight.grad, eager, atol=1e-4))

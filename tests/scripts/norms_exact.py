# tolerance: 1e-4
# Sums of many elements, and of 16-bit floats, in normalisation and norms; products of 16-bit floats.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = 3 + (torch.arange(1200 * 1200, dtype=torch.float32) * 0.37).sin().reshape(1, 1, 1200, 1200)
wide = x.double()
for name, function in (("batch", lambda x: F.batch_norm(x, None, None, training=True)),
                       ("group", lambda x: F.group_norm(x, 1)), ("instance", F.instance_norm)):
    print(name, (function(x).double() - function(wide)).abs().max().item() < 5e-6)
grads = []
for each in (x, wide):
    weight = torch.ones(1, dtype=each.dtype, requires_grad=True)
    F.batch_norm(each, None, None, weight, training=True).mul(each.cos()).sum().backward()
    grads.append(weight.grad.item())
print(abs(grads[0] - grads[1]) < 1e-4 * abs(grads[1]) + 0.5)

h = torch.full((2, 140), 300.0, dtype=torch.float16)
print(h.norm(dim=-1), F.normalize(h, dim=-1)[0, 0], F.cosine_similarity(h, h, dim=-1), F.pairwise_distance(h, h * 0))
h = torch.full((2, 140), 3e-4, dtype=torch.float16)
print(h.norm(dim=-1), F.normalize(h, dim=-1)[0, 0])
h = torch.full((2, 140), 300.0, dtype=torch.float16)
for p in (1, 3, float("inf"), 0):
    print(h[:, :3].norm(p, dim=-1))

for m, k, n in ((65, 63, 63), (80, 63, 40), (64, 64, 64), (65, 40, 64), (100, 128, 30)):
    a = torch.ones(8, m, k, dtype=torch.bfloat16)
    b = torch.ones(8, k, n, dtype=torch.bfloat16)
    print(torch.bmm(a, b).float().sum().item(), torch.bmm(a, b.transpose(1, 2).contiguous().transpose(1, 2)).shape)
q = torch.ones(1, 1, 150, 1, requires_grad=True)
out = F.scaled_dot_product_attention(q, q, q, is_causal=True)
out.sum().backward()
print(out.sum().item(), q.grad.sum().item())
q = torch.ones(2, 4, 70, 3, dtype=torch.bfloat16, requires_grad=True)
F.scaled_dot_product_attention(q, q, q).sum().backward()
print(q.grad.float().sum().item())

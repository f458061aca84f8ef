"""An elementwise chain, gelu(x * a + b) * sigmoid(c) + r, in four sizes: how far fusion carries."""

import torch
import torch.nn.functional as F
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)


def chain(v):
    x, a, b, c, r = v
    return F.gelu(x * a + b, approximate="tanh") * torch.sigmoid(c) + r


def chain_into(v):
    tensors, out = v
    out.copy_(chain(tensors))
    return out


for n in (1000, 100000, 1000000, 16000000):
    values = [torch.randn(n) for _ in range(5)]
    report(n, "eager", best(chain, values, 1.0))
    torch._dynamo.reset()
    report(n, "compiled", best(torch.compile(chain), values, 1.0))
    if n >= 1000000:
        torch._dynamo.reset()
        report(n, "compiled_into", best(torch.compile(chain_into), (values, torch.zeros(n)), 1.0))

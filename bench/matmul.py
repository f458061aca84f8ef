"""Square matrix products, plain and with bias and gelu behind them, in GFLOP/s.

    matmul.py [THREADS]
"""
import sys

import torch
import torch.nn.functional as F
from timing import best, report

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
torch.set_num_threads(threads)
torch.manual_seed(0)


def product(v):
    a, b, bias = v
    return a @ b


def with_bias_and_gelu(v):
    a, b, bias = v
    return F.gelu(a @ b + bias, approximate="tanh")


for n in (256, 1024, 2048):
    values = (torch.randn(n, n), torch.randn(n, n), torch.randn(n))
    for name, f in (("product", product), ("bias_gelu", with_bias_and_gelu)):
        torch._dynamo.reset()
        compiled = torch.compile(f)
        report(f"{name}/{n}", "eager", 2.0 * n**3 / best(f, values, 1.0) / 1e3, "GFLOP/s")
        report(f"{name}/{n}", "compiled", 2.0 * n**3 / best(compiled, values, 1.0) / 1e3, "GFLOP/s")

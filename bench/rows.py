"""Row-wise and column-wise work on a 4096 x 1024 matrix, eager and compiled, and a plain copy."""

import torch
import torch.nn.functional as F
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)
x = torch.randn(4096, 1024)
weight, bias = torch.randn(1024), torch.randn(1024)
target = torch.randint(0, 1024, (4096,))

CASES = {
    "softmax": lambda x: torch.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (1024,), weight, bias),
    "sum_rows": lambda x: x.sum(1),
    "sum_columns": lambda x: x.sum(0),
    "sum_all": lambda x: x.sum(),
    "argmax": lambda x: x.argmax(-1),
    "cumsum": lambda x: x.cumsum(-1),
    "log_softmax_nll": lambda x: F.nll_loss(F.log_softmax(x, -1), target),
}

for name, f in CASES.items():
    report(name, "clone", best(torch.clone, x))
    report(name, "eager", best(f, x))
    torch._dynamo.reset()
    report(name, "compiled", best(torch.compile(f), x))

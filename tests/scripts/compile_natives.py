# Functions of torch themselves, compiled.
import math

import torch
import torch.nn.functional as F

x, y = torch.linspace(-1, 1, 6), torch.linspace(0, 2, 6)
for function in (torch.dot, F.mse_loss, torch.add, F.gelu, torch.maximum):
    compiled = torch.compile(function, fullgraph=True)
    arguments = (x,) if function is F.gelu else (x, y)
    print(compiled(*arguments), torch.allclose(compiled(*arguments), function(*arguments)), compiled.__name__)
print(torch.compile(torch.add)(x, y, alpha=2), torch.compile(F.mse_loss)(x, target=y, reduction="sum"))
w = x.clone().requires_grad_()
torch.compile(F.mse_loss)(w, y).backward()
print(w.grad)
print(torch.compile(len)([1, 2, 3]), torch.compile(math.sqrt)(9.0), torch.compile(max)(x, key=lambda each: -each))
try:
    torch.compile(torch.dot)(x, y[1:])
except RuntimeError as error:
    print(error)
print(torch._dynamo.explain(F.mse_loss)(x, y).graph_count, torch._dynamo.explain(torch.dot)(x, y).graph_break_count)

# Results of pooling lie row by row, eager and compiled; reductions of what has become empty raise.
import torch
import torch.nn.functional as F


def tell(function, *arguments):
    try:
        return function(*arguments)
    except (RuntimeError, IndexError):
        return "raises"


turned = torch.arange(27.0).reshape(9, 3).t()[None].requires_grad_()
image = torch.arange(80.0).reshape(1, 2, 5, 8).to(memory_format=torch.channels_last)
for function, x in (
    (lambda x: F.avg_pool1d(x, 2), turned), (lambda x: F.max_pool1d(x, 2), turned), (lambda x: F.lp_pool1d(x, 2.0, 3), turned),
    (lambda x: F.avg_pool2d(x.contiguous(), 2), image), (lambda x: F.max_pool2d(x.contiguous(), (2, 3)), image),
):
    eager, compiled = function(x), torch.compile(function)(x)
    print(compiled.is_contiguous(), torch.allclose(eager, compiled), compiled.view(-1)[:4])
loss = torch.compile(lambda x: F.avg_pool1d(x, 2).square().sum() + F.max_pool1d(x, 3).sum())(turned)
loss.backward()
print(loss, turned.grad)
for function in (
    lambda x: x[2:].min(), lambda x: x[2:].max(0)[0], lambda x: x[2:].argmax(), lambda x: x[2:].argmin(0), lambda x: x[2:].amax(1), lambda x: x[2:].amin(0),
    lambda x: torch.aminmax(x[2:], dim=0)[0],
):
    compiled = torch.compile(function)
    for rows in (4, 5, 2, 6):
        print(tell(compiled, torch.ones(rows, 2)))
print(torch.compile(tell, disable=True) is tell, torch.compile(torch.sin, disable=True) is torch.sin)
module = torch.nn.Linear(1, 1)
print(torch.compile(module, disable=True) is module, torch.compile(torch.dot).__module__, torch.compile(torch.dot).__name__)

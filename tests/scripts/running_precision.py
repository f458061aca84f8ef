# Running sums and products of float32 are kept in float64, as PyTorch keeps them: a long sum does not
# drift, and a product may leave float32's range and come back.
import torch


def show(name, function, *tensors):
    compiled = torch.compile(function)
    for x in tensors:
        eager = function(x)
        print(name, tuple(x.shape), eager.flatten()[-1].item(), torch.allclose(eager, compiled(x), rtol=1e-6))


tenths = torch.full((67200,), 0.1)
show("rows", lambda x: x.cumsum(-1), tenths, tenths.view(4, -1), tenths.view(-1, 7), tenths.view(-1, 16))
show("columns", lambda x: x.cumsum(0), tenths.view(-1, 4), tenths.view(-1, 50), tenths.view(3, 200, -1))
show("middle", lambda x: x.cumsum(1), tenths.view(3, 200, -1))

above = torch.full((40000,), 1.0001)
show("rows", lambda x: x.cumprod(-1), above, above.view(4, -1), above.view(-1, 5))
show("columns", lambda x: x.cumprod(0), above.view(-1, 4), above.view(-1, 40))
show("scaled", lambda x: (x * 2).cumprod(-1) / 3, above.view(-1, 8), above.view(-1, 20))

far = torch.tensor([1e-30, 1e-30, 1e30, 1e30, 1e30, 1e30, 1e-30, 1e-30, 1e-30, 2.0])
print(far.cumprod(0), torch.compile(torch.cumprod)(far, 0))
print(far.repeat(2, 1).t().cumprod(0)[:, 1])
large = torch.tensor([1e38, 3e38, -3e38, 1.0])
print(large.cumsum(0), torch.compile(torch.cumsum)(large, 0))
special = torch.tensor([1.0, float("inf"), 2.0, -float("inf"), 3.0, 0.0])
print(special.cumsum(0), special.cumprod(0))
print(torch.compile(lambda x: (x.cumsum(0), x.cumprod(0)))(special))

for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int32):
    x = (torch.arange(1, 21) % 5 - 2).to(dtype) / 2
    x = x.to(dtype)
    compiled = torch.compile(lambda x: (x.cumsum(0), (x + 1).cumprod(0)))
    print(dtype, x.cumsum(0)[-3:], (x + 1).cumprod(0)[-3:], compiled(x)[0][-3:], compiled(x)[1][-3:])

x = torch.linspace(0.5, 1.5, 12).view(3, 4).requires_grad_()
for dim in (0, 1):
    for function in (torch.cumsum, torch.cumprod):
        (gradient,) = torch.autograd.grad((function(x, dim) ** 2).sum(), x)
        print(gradient)

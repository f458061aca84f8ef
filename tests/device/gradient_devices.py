# Gradients lie where their tensors are; literals of compiled code too. The output is recorded.
import torch
device = "cuda"
x = torch.arange(3.0, device=device)
s = torch.nn.Parameter(torch.tensor(2.0))
optimizer = torch.optim.SGD([s], lr=0.1)
for f in (lambda x: (x * s).sum(), torch.compile(lambda x: (x * s + s).sum())):
    optimizer.zero_grad()
    f(x).backward()
    print(s.grad, s.grad.device, x.device.type == device)
    optimizer.step()
    print(s)
w = torch.ones(3, device=device, requires_grad=True)
for attempt in (lambda: (w * 2).backward(torch.ones(3)), lambda: setattr(w, "grad", torch.ones(3))):
    try:
        attempt()
        print(w.grad)
    except RuntimeError as error:
        print(error)

# Tensors that compiled code makes of numbers.
y = torch.ones(2, device=device)
for literal in (lambda x: x + torch.tensor([1.0, 2.0], device=x.device),
                lambda x: x * torch.tensor([[3.0, 2.0]], device="cuda") + torch.tensor(3.0)):
    print(torch.compile(literal)(y), literal(y))
torch.set_default_device("cuda")
print(torch.compile(lambda x: x + torch.tensor([1.0, 2.0]))(y))

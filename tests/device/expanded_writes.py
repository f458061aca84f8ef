# Writes by index where elements share memory, in a float64 tensor too, and what tensors without elements
# count; eagerly and compiled.
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


def put(x):
    x[torch.tensor([1, 0], device=device)] = torch.ones(5, device=device)
    return x


def masked(x):
    x[x < 2] *= 2
    return x


def accumulate(x):
    places = torch.tensor([0, 1, 0], device=device), torch.tensor([0, 0, 4], device=device)
    return x.index_put_(places, torch.tensor([3.0, 4.0, 5.0], device=device), accumulate=True)


for write in (put, masked, accumulate):
    for run in (write, torch.compile(write)):
        print(write.__name__, run(torch.arange(5.0, device=device).expand(2, 5)))

# An index that reads nothing may be any.
far = torch.tensor([5], device=device)
for read, sizes in ((lambda x: x[far], (3, 0)), (lambda x: x[:, far], (0, 3)), (lambda x: x[far, far], (3, 3, 0)),
                    (lambda x: x[far, :, 1:0], (1, 1, 5))):
    for run in (read, torch.compile(read)):
        print(run(torch.zeros(sizes, device=device)))


def fill(x):
    x[far] = 1.0
    return x


print(fill(torch.zeros(3, 0, device=device)), torch.compile(fill)(torch.zeros(3, 0, device=device)))


# Writes into what has no elements count, and each write once.
def made(*sizes):
    return torch.ones(*sizes, device=device).exp()


x = torch.ones(0, 3, device=device, requires_grad=True)
y = x.exp()
y.copy_(torch.ones(0, 3, device=device))
try:
    y.sum().backward()
except RuntimeError as error:
    print(str(error)[:80])
out = made(2, 0)
torch.add(made(2, 0), 1, out=out)
z = made(0, 3)
z[:] = made(0, 3)
print(y._version, out._version, z._version, made(0, 3).copy_(made(0, 3).double())._version)
print(made(2, 3).addmm_(made(2, 4), made(4, 3))._version, made(2, 3).addmm_(made(2, 0), made(0, 3))._version)

# Numbers of float64 operators are float64, as a number and alpha times a number too.
x = torch.tensor([0.25, 0.251], device=device, dtype=torch.float64)
print((torch.add(x, 1e-5) - x - 1e-5).abs().max() < 1e-16, torch.add(x, 1e-5, alpha=3).tolist()[0])
print((torch.sub(x.sum(), 1e-5, alpha=2.5) + 2.5e-5 - x.sum()).abs().item() < 1e-16)
for norm in (lambda x: F.layer_norm(x, (2,)), lambda x: F.group_norm(x[None, None], 1), lambda x: F.rms_norm(x, (2,), eps=1e-5),
             lambda x: F.instance_norm(x[None, None]), lambda x: F.batch_norm(x[:, None], None, None, training=True)):
    for run in (norm, torch.compile(norm)):
        leaf = x.clone().requires_grad_()
        y = run(leaf)
        (y * torch.tensor([1.0, 2.0], device=device).double().reshape(y.shape)).sum().backward()
        print([f"{value:.9f}" for value in [*y.flatten().tolist(), *leaf.grad.tolist()]])

# Sums of columns, few and many, and over a dimension in the middle: as the processor has them.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def check(name, f, x):
    near = f(x).double()
    for g in (f, torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)):
        far = g(x.to(device)).cpu().double()
        if not torch.allclose(near, far, rtol=1e-4, atol=1e-4):
            print(name, tuple(x.shape), (near - far).abs().max().item())


for shape in ((2000,3), (5,3), (1000,1), (700,17), (300,24), (300,33), (2000,64), (129,1000), (10000,2), (3, 40)):
    x = torch.randn(shape)
    check("sum", lambda x: x.sum(0), x)
    check("mean", lambda x: (x * 2).mean(0) + 1, x)
    check("amax", lambda x: x.amax(0), x)
    check("argmax", lambda x: x.argmax(0), x)
    check("var", lambda x: x.var(0), x)
    check("int", lambda x: (x * 10).to(torch.int64).sum(0), x)
    check("two", lambda x: x.sum(0) / x.amax(0), x)
    check("softmax", lambda x: torch.softmax(x, 0), x)
for shape in ((8,1000,3), (3,70,5), (4,500,40), (2,3000,1), (40, 100, 7)):
    x = torch.randn(shape)
    check("mid", lambda x: x.sum(1), x)
    check("midmax", lambda x: x.amax(1), x)
    check("midsoft", lambda x: torch.softmax(x, 1), x)
print("done")

# No column at all.
none = torch.zeros(3000, 0, device=device)
print([f(none, 0).shape for f in (torch.sum, torch.std, torch.mean, torch.prod)])
print(torch.compile(lambda x: x.var(0), dynamic=True)(none).shape, torch.zeros(4, 3000, 0, device=device).sum(1).shape)

# A copy that lies across the rows of a softmax; sizes of what is made by numbers alone.
h = torch.compile(lambda x: (torch.softmax(x, 1).t().contiguous(), (x * 2).sum(1)))
print(*(f"{(each * torch.arange(1.0, each.shape[-1] + 1, device=each.device)).sum():.3f}"
        for each in h((torch.arange(70.0 * 90) % 11).reshape(70, 90).to(device))))
for count in (4, 8, 3, 0, 1, 100, 8):
    print(torch.linspace(0, 1, count, device=device).sum().item(), torch.logspace(0, 2, count, device=device).shape,
          f"{torch.linspace(-3, 5.5, count, device=device, dtype=torch.float64).sum():.6f}")

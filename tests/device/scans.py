# Running sums and products along each dimension, alone and among other operators: as the processor
# has them.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)

FUNCTIONS = {
    "cumsum": lambda x, dim: torch.cumsum(x, dim),
    "cumprod": lambda x, dim: torch.cumprod(x * 0.01 + 1, dim),
    "ints": lambda x, dim: torch.cumsum((x * 10).to(torch.int64), dim),
    "among others": lambda x, dim: torch.cumsum(x * 2 + 1, dim).exp2().clamp(max=2) - x,
    "of a product": lambda x, dim: torch.cumsum(torch.softmax(x, dim), dim),
    "twice": lambda x, dim: torch.cumsum(torch.cumsum(x * 0.01, dim), dim),
    "logcumsumexp": lambda x, dim: torch.logcumsumexp(x, dim),
}

for shape in ((1,), (70,), (3000,), (3, 5), (3, 300), (2, 1023), (2, 4096), (2000, 3), (4, 40, 6)):
    x = torch.randn(shape)
    for name, f in FUNCTIONS.items():
        for dim in range(len(shape)):
            near = f(x, dim).double()
            for run in (f, torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)):
                far = run(x.to(device), dim).cpu().double()
                if not torch.allclose(near, far, rtol=1e-3, atol=5e-3):
                    print(shape, name, dim, (near - far).abs().max().item())
halves = torch.randn(3, 500).to(torch.bfloat16)
print(torch.allclose(torch.cumsum(halves, 1).float(), torch.cumsum(halves.to(device), 1).cpu().float(),
                     rtol=0.05, atol=0.5))
x = torch.ones(2, 1000, device=device)
x.cumsum_(1)
print(x[1, ::333].tolist(), torch.cumsum(torch.ones(0, 3, device=device), 1).shape)
low = torch.full((2, 6), float("-inf"), device=device)
low[1, 3:] = 2.0
print(torch.logcumsumexp(low, 1).cpu())
print(torch.logcumsumexp(torch.tensor([float("nan"), 1.0], device=device), 0).cpu())
print("done")

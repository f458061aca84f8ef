# Tensors on a device: made there, moved, shown, written in place and by index.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
print(x)
print(x.device.type == device, x.dtype, x.shape, x.sum().item(), x.tolist())
print(torch.zeros(2, 3, device=device), torch.arange(5, device=device))
print(torch.full((2,), 7, device=device), torch.ones_like(x), x.new_zeros(2))
y = torch.arange(6.0).reshape(2, 3).to(device)
print(x + y, x * 2.5, 1 / x, x @ y.t())
print(x.to(torch.float64), x.to(device, torch.int32), x.cpu())
print(y.cpu().to(device, dtype=torch.float64, non_blocking=True), y.to("cpu", dtype=torch.int8), y.cpu().to(x, True))
print(torch.nn.Linear(2, 2).to(device, dtype=torch.float64).weight.sum().dtype, y.to(device, copy=True) is y)
print(torch.ones(1, 2, 3, 4).to(device, memory_format=torch.channels_last).stride())
print(x.t(), x[1], x[:, 1:], x[x > 2.5])
x[0, 1] = 20.0
x[1] += 1
x.mul_(2).clamp_(max=30.0)
print(x)
x[:, torch.tensor([0, 2])] = 0.5
print(x, x.contiguous().view(-1), x.t().contiguous())
print(torch.cat([x, y]), torch.stack([x, y], dim=1), torch.where(x > 1, x, y))
print(x.max(dim=1), x.argmax(), x.std(), torch.softmax(x, dim=1))
values, places = torch.sort(torch.tensor([3.0, 1.0, 2.0, 1.0], device=device))
print(values, places)
print(torch.tensor([5, 1, 9, 3], device=device).topk(2))
print(torch.nonzero(y > 1), torch.nn.functional.one_hot(torch.tensor([0, 2], device=device), 3))
torch.manual_seed(0)
print(torch.randn(3).to(device), torch.rand(2, 3).to(device), torch.randperm(4).to(device))
print(bool((x > 0).all()), float(x[0, 0]), f"{x.mean():.3f}")
half = x.to(torch.bfloat16)
print(half + half, half.sum())
print(torch.equal(x, x.clone()), torch.allclose(x, x + 1e-9))

# tolerance: 1e-4
# Small numeric programs on tensors.
import torch

torch.manual_seed(0)
# 1. Power iteration.
m = torch.randn(6, 6)
m = m @ m.t()
v = torch.ones(6)
for _ in range(200):
    v = m @ v
    v = v / v.norm()
print(torch.allclose(m @ v, (v @ m @ v) * v, atol=1e-3))
# 2. Newton's square root of many numbers at once.
x = torch.arange(1.0, 9.0)
r = x.clone()
while (r * r - x).abs().max() > 1e-5:
    r = 0.5 * (r + x / r)
print(r)
# 3. Jacobi relaxation on a grid, written with slices.
g = torch.zeros(6, 6)
g[0] = 1
for _ in range(50):
    g[1:-1, 1:-1] = (g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]) / 4
print(g)
# 4. k-means with k = 2.
points = torch.cat([torch.randn(20, 2), torch.randn(20, 2) + 5])
centres = points[[0, 39]].clone()
for _ in range(5):
    nearest = ((points.unsqueeze(1) - centres) ** 2).sum(-1).argmin(1)
    centres = torch.stack([points[nearest == k].mean(0) for k in range(2)])
print(nearest.bincount() if hasattr(torch.Tensor, "bincount") else nearest, centres)
# 5. Gradient descent by hand on a line.
data = torch.linspace(-1, 1, 20)
target = 3 * data + 0.5
w, b = torch.tensor(0.0), torch.tensor(0.0)
for _ in range(200):
    error = w * data + b - target
    w -= 0.2 * (2 * error * data).mean()
    b -= 0.2 * (2 * error).mean()
print(w, b)

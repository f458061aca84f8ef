# tolerance: 1e-4
# Distances of many points, which come from a product of matrices; their gradients.
import torch

torch.manual_seed(0)
x, y = torch.randn(40, 5), torch.randn(30, 5)
for mode in ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"):
    a, b = x.clone().requires_grad_(), y.clone().requires_grad_()
    d = torch.cdist(a, b, compute_mode=mode)
    (d * torch.arange(30.0)).sum().backward()
    print(mode, d.shape, d[0, :4], d[-1, -3:], a.grad[0], b.grad[-1])
few = torch.cdist(x[:3], y[:2])
print(few, torch.cdist(x[:3], x[:3]).diagonal())
batch = torch.cdist(torch.randn(2, 1, 30, 4), torch.randn(3, 6, 4))
print(batch.shape, batch[1, 2, 29])
print(torch.cdist(x, y, p=1.0)[0, :3], torch.cdist(x, y, p=float("inf"))[1, :3])
nearest = torch.cdist(x, y).argmin(1)
print(nearest[:12])


@torch.compile
def nearest_of(x, y):
    return torch.cdist(x, y).min(1)


print(nearest_of(x, y).values[:5], nearest_of(x, y).indices[:5])
try:
    torch.cdist(x, y, compute_mode="quick")
except ValueError as error:
    print(error)

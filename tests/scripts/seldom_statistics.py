# tolerance: 1e-4
# Statistics, slopes and others that few scripts ask for.
import torch
import torch.nn.functional as F

nan = float("nan")
x = torch.tensor([[1.0, nan, 3.0, 2.0], [nan, nan, 5.0, 4.0], [nan, nan, nan, nan]])
print(torch.nanmedian(x), x[:2].nanmedian(1), torch.nanmedian(x, 0, keepdim=True).values)
print(torch.nanquantile(x, 0.5), torch.nanquantile(x, torch.tensor([0.25, 0.6]), dim=1), x.nanquantile(0.5, 0, keepdim=True))
print(torch.quantile(x[:, 2:3], 0.5, dim=0))
data = torch.tensor([0.1, 0.5, 0.5, 0.9, 1.0, 2.0])
print(torch.histogram(data, 4), torch.histogram(data, torch.tensor([0.0, 0.5, 1.0])), data.histogram(3, range=(0.0, 1.5)))
print(torch.histogram(data, 4, weight=torch.arange(6.0), density=True))
y = torch.tensor([1.0, 2.0, 4.0, 7.0, 11.0])
print(torch.gradient(y), torch.gradient(y, spacing=2.0), torch.gradient(y, spacing=(torch.tensor([0.0, 1.0, 1.5, 3.5, 4.0]),), edge_order=2))
print(torch.gradient(torch.arange(12.0).reshape(3, 4) ** 2, dim=1), torch.gradient(torch.arange(12.0).reshape(3, 4) ** 2))
rows = torch.arange(12.0).reshape(3, 4).requires_grad_()
print(torch.renorm(rows, 2, 0, 5.0).detach(), rows.detach().renorm(1, 1, 8.0), F.pdist(rows).detach(), torch.pdist(rows.detach(), 1))
F.pdist(rows).sum().backward()
print(rows.grad)
print(torch.matrix_exp(torch.tensor([[0.0, 1.0], [-1.0, 0.0]]) * 3), torch.linalg.matrix_exp(torch.zeros(2, 3, 3)).sum())
angle = torch.tensor([[0.0, -0.5], [0.5, 0.0]], requires_grad=True)
torch.matrix_exp(angle)[0, 1].backward()
print(angle.grad)
reflections = torch.linalg.householder_product(torch.tensor([[1.0, 0.0], [0.5, 1.0], [0.2, -0.3]]), torch.tensor([1.5, 1.8]))
print(reflections)
import warnings
warnings.simplefilter("ignore")
print(torch.range(1, 4), torch.range(0, 1, 0.25))
for wrong in (lambda: torch.histogram(torch.tensor([1, 2]), 3), lambda: torch.gradient(y, edge_order=3), lambda: F.pdist(y),
              lambda: torch.nanquantile(y, 2.0)):
    try:
        print(wrong())
    except (RuntimeError, NotImplementedError, ValueError) as error:
        print(type(error).__name__, error)

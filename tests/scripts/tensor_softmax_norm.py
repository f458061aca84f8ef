# tolerance: 1e-5
# Softmax, log-softmax, layer norm, losses.
import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [-1000.0, 0.0, 1000.0]])
print(torch.softmax(x, 1), x.softmax(0), F.softmax(x, dim=-1), torch.log_softmax(x, 1), F.log_softmax(x[0], dim=0))
print(F.layer_norm(x[:2], (3,)), F.layer_norm(x[:1], [3], torch.tensor([2.0, 2.0, 2.0]), torch.tensor([1.0, 1.0, 1.0]), 1e-3))
target = torch.tensor([2, 0, 2])
print(F.nll_loss(torch.log_softmax(x, 1), target), F.cross_entropy(x[:2], target[:2]), F.mse_loss(x[:2], torch.zeros(2, 3)), F.relu(-x), F.one_hot(target, 4))
print(torch.softmax(torch.tensor([float("-inf"), 0.0]), 0), torch.softmax(torch.zeros(2, 0), 1), torch.softmax(torch.tensor(3.0), 0), torch.softmax(torch.ones(2, dtype=torch.float64), 0))
print(torch.dropout(x, 0.5, False).sum() == x.sum(), F.normalize(x[:2], dim=1))

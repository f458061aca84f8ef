# A matrix product whose shapes do not fit.
import torch

weights = torch.zeros(3, 4)
x = torch.zeros(2, 3)
print((x @ weights).shape)
y = (weights @ x).sum() + 1

"""`torch.tensor` of an array, or of scalars, copies what they hold when it is called."""
import numpy as np
import torch


def doubled(a):
    return torch.tensor(a) * 2


def of_parts(a):
    column = torch.tensor(a[:, 0:1], requires_grad=True).float()
    return column.detach(), torch.tensor([a[0, 0], a[1, 0] * 2]), torch.tensor(a + 1)


state = np.ones(2)
for step in range(4):
    print(doubled(state), doubled(np.zeros(2) + step), doubled([np.float64(step), np.float64(3)]))
    state[0] += 1
for start in (1.0, 2.0, 3.0):
    print(of_parts(np.arange(start, start + 4).reshape(2, 2)))

# A view of a tensor is written, then the tensor itself gets other sizes: gradients go by the sizes
# that it had when the view was made.
import torch


def write_and_unsqueeze(x):
    x = x * 1
    x.unsqueeze_(0)
    part = x[:, 1:, :]
    part.mul_(2)
    x.unsqueeze_(0)
    return x


def copy_and_unsqueeze(x):
    x = x * 1
    x.unsqueeze_(0)
    part = x[:, 1:, :]
    part.copy_(x[:, 1:, :])
    x.unsqueeze_(0)
    return x


def write_and_transpose(x):
    x = x * 1
    part = x[1:, :]
    part.mul_(3)
    x.t_()
    return x


for run in [write_and_unsqueeze, copy_and_unsqueeze, write_and_transpose]:
    for function in [run, torch.compile(run)]:
        x = torch.arange(12.0).reshape(3, 4).requires_grad_()
        y = function(x)
        print(run.__name__, y.shape)
        (y * y).sum().backward()
        print(x.grad)

# torch.convolution and what is made of it: results, gradients of gradients, errors.
import torch
import torch.nn.functional as F

x, w = torch.arange(8.0).reshape(1, 2, 2, 2).cos(), torch.arange(54.0).reshape(3, 2, 3, 3).sin()


def attempt(*arguments):
    try:
        print(torch.convolution(*arguments))
    except Exception as error:
        print(type(error).__name__, error)


attempt(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w, torch.ones(3), [2], [1], [1], False, [0], 1)
attempt(x, w, None, [1, 1], [2, 1], [2, 1], False, [0, 0], 1)
attempt(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
attempt(x, w, torch.ones(2), [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w[:, :1], None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w.double(), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x[0], w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w, None, [0, 1], [1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w, None, [1, 1], [-1, 1], [1, 1], False, [0, 0], 1)
attempt(x, w, None, [1, 1], [1, 1], [0, 1], False, [0, 0], 1)
attempt(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 0)
attempt(x, w[:, :1], None, [1, 1], [1, 1], [1, 1], False, [0, 0], 2)
attempt(torch.ones(1, 2, 0, 4), w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)

volume = torch.arange(48.0).reshape(1, 2, 4, 3, 2).sin()
weights = torch.arange(32.0).reshape(2, 2, 2, 2, 2).cos()
print(F.conv3d(volume, weights, torch.tensor([1.0, 2.0]), stride=(2, 1, 1), padding="valid"))
print(F.conv3d(volume[0], weights[..., :1, :1, :1], padding="same").shape, F.conv3d(volume, weights, padding=1).shape)

x, w = torch.arange(10.0).reshape(1, 2, 5).cos(), torch.arange(12.0).reshape(3, 2, 2).sin()
x.requires_grad_(), w.requires_grad_()
y = F.conv1d(x, w, stride=2, padding=1)
print(y.grad_fn.name())
of_x, of_w = torch.autograd.grad((y * y * y).sum(), (x, w), create_graph=True)
print(of_x, of_w, *torch.autograd.grad((of_x * of_x).sum() + (of_w * of_w).sum(), (x, w)))

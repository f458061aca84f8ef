# Which call the message about a written tensor names: the one that it was saved for, if that gave
# it, whoever wrote it later; and the versions of what was written before it was handed on.
import torch


def exponential(x):
    y = x * 2
    y[0] = 1
    return y, y.exp()


def rectified(x):
    y = x * 2
    y.relu_()
    return y


def square(x):
    y = x * 2
    return y, y * y


def written_result(x):
    y, z = exponential(x)
    z.add_(1)
    return z


def written_argument(x):
    y, z = exponential(x)
    y.add_(1)
    return z * y


def written_in_place(x):
    y = rectified(x)
    y.mul_(2)
    return y


def written_view(x):
    y = rectified(x)
    y[0].mul_(2)
    return y


def written_square(x):
    y, z = square(x)
    y.add_(1)
    return z


def versions(x):
    with torch.no_grad():
        y = x + 1
        y.mul_(2)
        y[0].add_(1)
        z = y.view(-1)
    return y, z


for function in [written_result, written_argument, written_in_place, written_view, written_square]:
    for call in range(3):
        x = torch.arange(1.0, 5.0).reshape(2, 2).div(4).requires_grad_()
        try:
            function(x).sum().backward()
            print(function.__name__, x.grad)
        except RuntimeError as error:
            print(function.__name__, str(error).split(". Hint")[0])
for call in range(3):
    y, z = versions(torch.ones(2, 2))
    print(y._version, z._version)

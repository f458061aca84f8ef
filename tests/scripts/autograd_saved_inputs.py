# What a gradient rule does not read may be written: `2 / x` reads its reciprocal, dropout its mask.
import torch
import torch.nn.functional as F


def attempt(what, run):
    w = torch.tensor([1.0, 2.0, -4.0], requires_grad=True)
    try:
        run(w).sum().backward()
        print(what, w.grad)
    except RuntimeError as error:
        print(what, "->", str(error).split(". Hint")[0])


def quotient(w):
    x = w * 1
    y = 1 / x
    x.add_(0.25)
    return y


def quotient_of_two(w):
    x = w * 1
    y = 2 / x
    x.zero_()
    return y + x


def quotient_written(w):
    y = 3 / (w * 1)
    y.mul_(2)
    return y


def reciprocal_written(w):
    y = (w * 1).reciprocal()
    y.mul_(2)
    return y


def dropped(w):
    torch.manual_seed(1)
    x = w * 1
    y = F.dropout(x, 0.5)
    x.add_(0.25)
    return y


def dropped_written(w):
    torch.manual_seed(1)
    y = F.dropout(w * 1, 0.25)
    y.mul_(3)
    return y


for run in (quotient, quotient_of_two, quotient_written, reciprocal_written, dropped,
            dropped_written):
    for i in range(3):
        attempt(run.__name__, run)

# A number over a tensor is rounded as the product with the reciprocal.
x = torch.tensor([3.0, 7.0, 0.3, 11.0, 49.0])
print((3 / x).tolist(), (1 / x).tolist(), (0.1 / x).tolist())
print((5 / torch.tensor([3, 7])).tolist(), 1 / torch.tensor([2, 0]), True / x)
print((1.0 / x.double()).dtype, (7 / x.half()).tolist(), (7 / x.bfloat16()).tolist())


@torch.compile(backend="eager")
def over(n, x):
    return n / x


for n in (3, 4, 5, 0.1, 0.7, 0.9):
    print(over(n, x).tolist())
y = 2 / x.requires_grad_()
print(y, y.grad_fn.next_functions[0][0].name())

# Masks as indices in compiled functions: how many places they name is known only when they run.
import torch


@torch.compile
def put(x, mask, values):
    return x.index_put((mask,), values) + 1


@torch.compile
def put_in_place(x, mask, values):
    y = x * 1
    y.index_put_((mask,), values, accumulate=True)
    return y


@torch.compile
def assign(x, mask, values):
    y = x.clone()
    y[mask] = values
    return y * 2


x = torch.arange(6.0).reshape(2, 3)
for function in (put, put_in_place, assign):
    for values in (torch.zeros(4), torch.zeros(3), torch.tensor([7.0]), torch.tensor(5.0)):
        for mask in (x > 1, x[0] > 5):
            try:
                print(function(x if mask.dim() == 2 else x[0], mask, values))
            except RuntimeError as error:
                print(error)

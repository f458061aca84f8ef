# A compiled kernel that reads where a reduction of the same kernel found something.
import torch


@torch.compile
def last_place(x, value):
    places = torch.where(x == value, torch.arange(x.size(-1)), -1).amax(-1)
    return x.gather(-1, places.unsqueeze(-1)), places


@torch.compile
def greatest(x):
    return x.gather(1, x.argmax(1, keepdim=True)), x.index_select(0, x.argmax(0).amax().reshape(1))


for n in (5, 7):
    x = torch.arange(3 * n).remainder(4).reshape(3, n)
    print(last_place(x, x[:, :1]))
    print(last_place(x, x[:, 1:2]))
    print(greatest(x))

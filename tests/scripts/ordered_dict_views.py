# The views of an OrderedDict say what they are of; a dict's in-between do not.
from collections import Counter, OrderedDict, defaultdict

import torch
from torch import nn

d = OrderedDict(a=1, b=(2, 3))
print(d.keys(), d.values(), d.items(), OrderedDict().keys())


class Own(OrderedDict):
    pass


own = Own()
own["x"] = OrderedDict(y=1).values()
print(own.keys(), own.items())
print({"a": 1}.keys(), Counter("ab").values(), defaultdict(int, a=1).items())
print(nn.Linear(2, 1).state_dict().keys())
print(list(d.keys()), dict(d).keys())

# And what is no number, replaced in place.
x = torch.tensor([1.0, float("nan"), float("inf"), -float("inf")])
print(x.nan_to_num_(nan=2.0, posinf=9.0) is x, x)
print(torch.nan_to_num_(torch.tensor([float("nan"), 3.0])), torch.tensor([1, 2]).nan_to_num_())


@torch.compile(backend="eager")
def cleaned(x):
    y = x / x
    y.nan_to_num_(0.5)
    return y + 1


for _ in range(2):
    print(cleaned(torch.tensor([0.0, 2.0])))

"""Calls of operators in their other forms: places of what is true, repeats by a tensor, activations in place."""
import torch
import torch.nn.functional as F


def t(run):
    try:
        print(run())
    except (RuntimeError, TypeError, IndexError, NotImplementedError, ValueError) as error:
        print(type(error).__name__, error)


x = torch.arange(6.0).view(2, 3)


def written_relu():
    y = torch.tensor([-1.0, 2.0])
    z = F.relu(y, inplace=True)
    return z is y, y


t(written_relu)
t(lambda: torch.zeros(2,3).copy_(torch.ones(2,2)))
t(lambda: torch.zeros(2,3).copy_(torch.ones(4,2,3)))
t(lambda: torch.zeros(3).fill_(torch.ones(2)))
t(lambda: torch.zeros(3).fill_(torch.ones(1)))
t(lambda: torch.zeros(3, dtype=torch.uint8).fill_(300))
t(lambda: torch.zeros(3, dtype=torch.int8).fill_(-200))
t(lambda: torch.zeros(3, dtype=torch.int32).fill_(2**40))
t(lambda: torch.zeros(3, dtype=torch.float16).fill_(1e6))
t(lambda: F.relu(torch.tensor([-1.0]), True))
t(lambda: F.leaky_relu(torch.tensor([-1.0]), 0.1, True))
t(lambda: F.dropout(torch.ones(2), 0.0, True, True))
t(lambda: F.elu(torch.tensor([-1.0]), inplace=True))
t(lambda: F.hardtanh(torch.tensor([-3.0]), inplace=True))
t(lambda: F.relu6(torch.tensor([-3.0, 8]), inplace=True))
t(lambda: F.silu(torch.tensor([-3.0, 8]), inplace=True))
t(lambda: torch.where(x > 2))
t(lambda: torch.where(torch.tensor(True)))
t(lambda: torch.where(torch.tensor([0, 3, 0, 1])))
t(lambda: x.nonzero(as_tuple=True))
t(lambda: torch.nonzero(x, as_tuple=True))
t(lambda: torch.nonzero(x))
t(lambda: torch.tensor(3).nonzero())
t(lambda: torch.tensor(0).nonzero(as_tuple=True))
t(lambda: x.nonzero(as_tuple=False))
t(lambda: torch.tensor([1,2,3]).repeat_interleave(torch.tensor([1,0,2])))
t(lambda: torch.repeat_interleave(x, torch.tensor([1,2]), dim=0))
t(lambda: torch.repeat_interleave(x, torch.tensor([1,2]), dim=1))
t(lambda: torch.repeat_interleave(x, 2))
t(lambda: torch.repeat_interleave(x, 2, dim=1))
t(lambda: torch.repeat_interleave(torch.tensor([1,2])))
t(lambda: torch.repeat_interleave(x, torch.tensor([-1,2]), dim=0))
t(lambda: torch.repeat_interleave(x, torch.tensor([1.,2]), dim=0))
t(lambda: torch.repeat_interleave(x, torch.tensor([2]), dim=0))
t(lambda: x.repeat_interleave(torch.tensor([2,1,0]), 1))
t(lambda: torch.repeat_interleave(x, torch.tensor([1,2]), dim=0, output_size=3))
t(lambda: torch.repeat_interleave(x, -1))
t(lambda: torch.where(x > 2, x, 0.0))


@torch.compile
def forms(x, repeats):
    rows, columns = torch.where(x > 2)
    y = F.relu(x - 3, inplace=True)
    return x[rows, columns], y.repeat_interleave(repeats, 0), x.nonzero(as_tuple=True)


for repeats in ([1, 2], [0, 3]):
    print(forms(x, torch.tensor(repeats)))

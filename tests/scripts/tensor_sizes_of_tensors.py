# Sizes and numbers given as 0-dim tensors, and what is no size at all.
import torch

x = torch.arange(6)
for attempt in (
    lambda: torch.zeros(torch.tensor(2)),
    lambda: torch.ones((torch.tensor(2), 1)).shape,
    lambda: x.reshape(torch.tensor(2), 3).shape,
    lambda: x.view(torch.tensor(2), -1).shape,
    lambda: torch.full((torch.tensor(2),), 1.5),
    lambda: torch.arange(torch.tensor(3)),
    lambda: x.narrow(0, torch.tensor(1), 2),
    lambda: x.sum(torch.tensor(0)),
    lambda: torch.zeros(torch.tensor(1.5)),
    lambda: torch.zeros(torch.tensor([1,2])),
    lambda: torch.zeros([1.5, 2]),
    lambda: torch.zeros(["a"]),
    lambda: torch.cat([1, 2]),
    lambda: torch.cat([torch.ones(1), 2]),
    lambda: torch.zeros([True]),
    lambda: torch.stack([]),
    lambda: x.permute("a"),
    lambda: x.expand(torch.tensor(2), 6).shape,
    lambda: torch.full([2], torch.tensor(1.5)),
    lambda: x.reshape((torch.tensor(2), torch.tensor(3))).shape,
    lambda: torch.zeros(2.0),
    lambda: torch.zeros(-1),
    lambda: torch.zeros([None]),
    lambda: torch.zeros((None, 2)),
    lambda: torch.zeros(None),
    lambda: torch.zeros(2,1.5),
    lambda: torch.zeros((2,"a")),
    lambda: x.permute([0.5]),
    lambda: torch.stack([x,1]),
    lambda: torch.cat(x),
    lambda: torch.cat((x,None)),
    lambda: torch.zeros(2, torch.tensor([1,2])),
    lambda: x.view([2, 1.5]),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])

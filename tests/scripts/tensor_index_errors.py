"""Writing and reading by index: which sizes and places are refused, and in which words."""
import torch


def t(run):
    try:
        print(run())
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, error)


x = torch.zeros(9)
i = torch.tensor([2, 0, 0, 1])
v = torch.ones(3)
t(lambda: x.scatter_add(0, i, v))
t(lambda: x.scatter(0, i, v))
t(lambda: x.scatter_(0, i, v))
t(lambda: torch.zeros(3, 3).scatter(0, torch.zeros(2, 4).long(), torch.ones(2, 4)))
t(lambda: torch.zeros(3, 3).scatter(0, torch.zeros(2, 4).long(), 2.0))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(4, 2).long(), torch.ones(4, 4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2, 2).long(), torch.ones(1, 4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2).long(), torch.ones(1, 4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2, 2).long(), torch.ones(4)))
t(lambda: torch.zeros(3, 3).scatter(1, torch.zeros(2).long(), torch.ones(1, 4)))
t(lambda: torch.zeros(3, 3).scatter(1, torch.zeros(2, 2).long(), torch.ones(4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2, 2), torch.ones(4,4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2, 2).int(), torch.ones(4,4)))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(2, 2).long(), torch.ones(4,4).long()))
t(lambda: torch.zeros(3, 3).scatter_add(1, torch.zeros(0).long(), torch.ones(4)))
t(lambda: torch.zeros(3, 3).scatter(1, torch.zeros(0, 2).long(), torch.ones(4, 4)))
t(lambda: torch.zeros(3, 3).scatter(1, torch.full((2, 2), 3), torch.ones(4, 4)))
t(lambda: torch.zeros(3, 3).scatter(1, torch.full((2, 2), -1), torch.ones(4, 4)))
t(lambda: torch.zeros(3, 3).gather(1, torch.zeros(4, 2).long()))
t(lambda: torch.zeros(3, 3).gather(0, torch.zeros(4, 2).long()))
t(lambda: torch.zeros(3, 3).gather(1, torch.zeros(2, 2).int()))
t(lambda: torch.zeros(3, 3).gather(1, torch.full((2, 2), 3)))
t(lambda: torch.zeros(3, 3).gather(1, torch.zeros(2).long()))
t(lambda: torch.zeros(3).index_add(0, torch.tensor([0,1]), torch.ones(3)))
t(lambda: torch.zeros(3).index_add(0, torch.tensor([0,5]), torch.ones(2)))
t(lambda: torch.zeros(3,2).index_add(0, torch.tensor([0,1]), torch.ones(2,3)))
t(lambda: torch.zeros(3,2).index_add(1, torch.tensor([0,1]), torch.ones(3,2).long()))
t(lambda: torch.zeros(3).index_copy(0, torch.tensor([0,1]), torch.ones(3)))
t(lambda: torch.zeros(3).index_copy(0, torch.tensor([0,5]), torch.ones(2)))
t(lambda: torch.zeros(3,2).index_copy(0, torch.tensor([0,1]), torch.ones(2,3)))
t(lambda: torch.zeros(3).index_fill(0, torch.tensor([0,5]), 1.0))
t(lambda: torch.zeros(3).index_fill(0, torch.tensor([0,-1]), 1.0))
t(lambda: torch.zeros(3).index_copy(0, torch.tensor([0,-1]), torch.ones(2)))
t(lambda: torch.zeros(3).index_add(0, torch.tensor([0,-1]), torch.ones(2)))
t(lambda: torch.zeros(3).take(torch.tensor([0.])))
t(lambda: torch.zeros(0).take(torch.tensor([0])))
t(lambda: torch.zeros(3).index_put((torch.tensor([0,5]),), torch.ones(2)))
t(lambda: torch.zeros(3).masked_scatter(torch.tensor([True, True, False]), torch.ones(1)))
t(lambda: torch.zeros(3).masked_fill(torch.tensor([1, 1, 0]), 1.0))
t(lambda: torch.zeros(3).masked_fill(torch.tensor([True, False]), 1.0))
t(lambda: torch.zeros(3).masked_fill(torch.tensor([True, False, True]), torch.ones(2)))
t(lambda: torch.zeros(3).take_along_dim(torch.tensor([[0]]), 0))


@torch.compile
def placed(x, mask, source):
    return x.masked_scatter(mask, source) + 1


for source in (torch.tensor([5.0, 6.0, 7.0]), torch.tensor([5.0]), torch.tensor([])):
    for mask in (torch.tensor([True, False, True]), torch.tensor([False, False, False])):
        try:
            print(placed(torch.zeros(3), mask, source))
        except RuntimeError:
            print("too few")

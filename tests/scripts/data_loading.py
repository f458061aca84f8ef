# torch.utils.data: data sets, and loaders in PyTorch's own order.
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, RandomSampler, Subset, TensorDataset, random_split


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


x, y = torch.arange(20.0).reshape(10, 2), torch.arange(10)
data = TensorDataset(x, y)
print(len(data), data[3], data[-1])
for a, b in DataLoader(data, batch_size=4):
    print(a, b)
torch.manual_seed(0)
loader = DataLoader(data, batch_size=4, shuffle=True)
for epoch in range(2):
    print([b.tolist() for _, b in loader], len(loader))
print(torch.randint(100, (2,)))
print([b.tolist() for _, b in DataLoader(data, 4, drop_last=True)], len(DataLoader(data, 4, drop_last=True)))
g = torch.Generator().manual_seed(7)
print([b.tolist() for _, b in DataLoader(data, 3, shuffle=True, generator=g)], torch.rand(1))


class Squares(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError
        return {"x": i, "y": float(i * i), "name": f"n{i}"}


for batch in DataLoader(Squares(5), batch_size=2):
    print(batch)
print(next(iter(DataLoader(Squares(3)))))
print(next(iter(DataLoader(Squares(3), batch_size=None))))
print(list(DataLoader([1, 2, 3, 4, 5], batch_size=2)))
print(list(DataLoader([(1, 2.0), (3, 4.0)], batch_size=2)))
print(list(DataLoader(Squares(4), batch_size=2, collate_fn=lambda items: [item["name"] for item in items])))
torch.manual_seed(1)
first, second = random_split(data, [7, 3])
print(first.indices, second.indices, second[0], len(first))
print([len(part) for part in random_split(range(10), [0.5, 0.3, 0.2], generator=torch.Generator().manual_seed(3))])
print([b.tolist() for _, b in DataLoader(Subset(data, [5, 1, 9]), batch_size=2)])
print([v for v in Squares(3)], len(data + data))
attempt("sizes", lambda: TensorDataset(x, y[:3]))
attempt("batch size", lambda: DataLoader(data, batch_size=0))
attempt("split", lambda: random_split(data, [5, 4]))

torch.manual_seed(2)
print(list(RandomSampler(range(5), replacement=True, num_samples=3)), list(RandomSampler([7], replacement=True)))
print(list(RandomSampler(range(100), replacement=True, num_samples=70)))
print([b.tolist() for b in DataLoader(range(9), 4, sampler=RandomSampler(range(9), replacement=True))])


class Fetched(Dataset):
    """Whole batches at once."""

    def __len__(self):
        return 6

    def __getitems__(self, indices):
        return [-i for i in indices]


print([b.tolist() for b in DataLoader(Fetched(), 4)], [b.tolist() for b in DataLoader(Subset(Fetched(), [5, 1]), 4)])
attempt("one by one", lambda: list(DataLoader(Fetched(), None)))


class Counted(IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.n


class Endless(IterableDataset):
    def __iter__(self):
        while True:
            yield 1


print([len(DataLoader(Counted(7), *how)) for how in ((), (2,), (None,), (7,))], len(DataLoader(Counted(7), 2, drop_last=True)))
print([len(iter(DataLoader(range(7), size))) for size in (1, 2, None)], len(iter(DataLoader(range(7), 2, drop_last=True))))
attempt("length", lambda: len(DataLoader(Endless())))
attempt("length", lambda: len(iter(DataLoader(Counted(7)))))
attempt("length", lambda: len(iter(DataLoader(Counted(7), None))))
attempt("shuffle", lambda: DataLoader(Counted(7), shuffle=True))
attempt("sampler", lambda: DataLoader(Counted(7), sampler=[1]))
attempt("batch sampler", lambda: DataLoader(Counted(7), batch_sampler=[[1]]))
attempt("drop_last", lambda: DataLoader(Counted(7), None, drop_last=True))

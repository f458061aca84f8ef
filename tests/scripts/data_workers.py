# A DataLoader with workers: who loads what, in which order, with which random numbers.
import random

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Numbered(Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, i):
        worker = get_worker_info()
        return torch.tensor([i] if worker is None else [i, worker.id, worker.num_workers])


class Drawn(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return torch.rand(1) + random.randrange(3)


class Whole(IterableDataset):
    def __iter__(self):
        for i in range(5):
            yield torch.tensor([i, get_worker_info().id if get_worker_info() else -1])


class Shared(IterableDataset):
    first, last = 0, 7

    def __iter__(self):
        return iter(torch.arange(self.first, self.last))


class Eager:
    """Draws as it begins."""

    def __iter__(self):
        return iter(torch.randperm(7).tolist())

    def __len__(self):
        return 7


class Broken(Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, i):
        if i == 2:
            raise ValueError("two")
        return i


class Stumbling(IterableDataset):
    """Raises at its third sample, and goes on."""

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        self.i += 1
        if self.i == 3:
            raise ValueError("three")
        if self.i > 8:
            raise StopIteration
        return self.i


class Stopping(IterableDataset):
    """A generator ends where it raises."""

    def __iter__(self):
        yield 1
        yield 2
        raise ValueError("three")


class Unready(IterableDataset):
    def __iter__(self):
        if get_worker_info() is None or get_worker_info().id == 1:
            raise ValueError("not ready")
        return iter(range(3))


def refuse(number):
    if number == 1:
        raise RuntimeError("refused")


def share(number):
    worker = get_worker_info()
    worker.dataset.first, worker.dataset.last = 4 * number, min(4 * number + 4, 7)


def show(call):
    try:
        print(call())
    except (AssertionError, ValueError) as error:
        print(error)


def whole_pass(batches):
    """With the batches whose data set raised."""
    while True:
        try:
            print(next(batches).tolist())
        except ValueError:
            print("raised")
        except StopIteration:
            return


def met(batches):
    """All that a pass gives, in a line."""
    found = []
    while True:
        try:
            batch = next(batches)
            found.append(batch if isinstance(batch, int) else batch.tolist())
        except ValueError:
            found.append("raised")
        except StopIteration:
            return found


if __name__ == "__main__":
    for count in (0, 1, 2):
        torch.manual_seed(0)
        random.seed(0)
        print([b.tolist() for b in DataLoader(Numbered(), 2, shuffle=True, num_workers=count)], torch.rand(1))
        print([b.tolist() for b in DataLoader(Whole(), 2, num_workers=count)])
        print([b.tolist() for b in DataLoader(Drawn(), 2, num_workers=count)], torch.rand(1), random.random())
    shared = Shared()
    print([b.tolist() for b in DataLoader(shared, 3, num_workers=2, worker_init_fn=share)], shared.last)
    kept = DataLoader(Drawn(), None, num_workers=2, persistent_workers=True, prefetch_factor=1)
    print([b.item() for b in kept], [b.item() for b in kept])
    print(kept.num_workers, kept.prefetch_factor, kept.persistent_workers, len(kept), get_worker_info())
    print(DataLoader(Drawn()).prefetch_factor, DataLoader(Drawn(), num_workers=2).prefetch_factor)
    for wrong in ({"num_workers": -1}, {"timeout": -1}, {"prefetch_factor": 2}, {"persistent_workers": True},
                  {"multiprocessing_context": "fork"}):
        show(lambda: DataLoader(Drawn(), **wrong))
    torch.manual_seed(0)
    kept = DataLoader(Numbered(), 3, shuffle=True, num_workers=2, persistent_workers=True)
    print([[b.tolist() for b in kept] for _ in range(3)], torch.rand(1))
    for count in (0, 2):
        torch.manual_seed(0)
        eager = DataLoader(Numbered(), None, sampler=Eager(), num_workers=count)
        print([[b.tolist() for b in eager] for _ in range(2)], torch.rand(1))
        whole_pass(iter(DataLoader(Broken(), 2, num_workers=count)))
    show(lambda: list(DataLoader(Drawn(), num_workers=1, prefetch_factor=0)))
    for count in (0, 2):
        for size, last in ((None, False), (1, False), (2, False), (2, True), (5, True)):
            print(count, size, last, *[met(iter(DataLoader(data, size, num_workers=count, drop_last=last)))
                                       for data in (Stumbling(), Stopping())])
    show(lambda: iter(DataLoader(Unready())))
    whole_pass(iter(DataLoader(Unready(), 2, num_workers=1)))
    unlucky = iter(DataLoader(range(4), num_workers=2, worker_init_fn=refuse))
    print(next(unlucky))
    try:
        next(unlucky)
    except RuntimeError as error:
        print(str(error).split("\n")[:2], str(error).split("\n")[-2])
    print(next(unlucky))
    print(len(iter(DataLoader(range(7), 2, num_workers=2))), len(DataLoader(range(7), 2, num_workers=2)))

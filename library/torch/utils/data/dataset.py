"""Data sets: `data[i]` is one sample, `len(data)` how many there are."""
import math

import torch


class Dataset:
    def __class_getitem__(cls, parameters):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    def __iter__(self):
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other):
        return ChainDataset([self, other])


class ChainDataset(IterableDataset):
    """What several give, one behind the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for data in self.datasets:
            assert isinstance(data, IterableDataset), "ChainDataset only supports IterableDataset"
            yield from data

    def __len__(self):
        for data in self.datasets:
            assert isinstance(data, IterableDataset), "ChainDataset only supports IterableDataset"
        return sum([len(data) for data in self.datasets])


class TensorDataset(Dataset):
    """The rows of tensors, side by side."""

    def __init__(self, *tensors):
        assert all([tensors[0].size(0) == t.size(0) for t in tensors]), "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """The items of several at one place, as a tuple; of those with names, as a dict."""

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError("Supported either ``tuple``- (via ``args``) or"
                             "``dict``- (via ``kwargs``) like input/output, but both types are given.")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        lengths = [len(data) for data in args or kwargs.values()]
        self._length = lengths[0]
        if any([length != self._length for length in lengths]):
            raise ValueError("Size mismatch between datasets")

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: data[index] for name, data in self.datasets.items()}
        return tuple([data[index] for data in self.datasets])


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        assert len(self.datasets) > 0, "datasets should not be an empty iterable"

    def __len__(self):
        return sum([len(data) for data in self.datasets])

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        for data in self.datasets:
            if idx < len(data):
                return data[idx]
            idx -= len(data)
        raise IndexError("index out of range")


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__([self.indices[i] for i in indices])
        return [self.dataset[self.indices[i]] for i in indices]

    def __len__(self):
        return len(self.indices)


def _counts(dataset, lengths):
    """Lengths from fractions: rounded down, and what is left goes to the first ones."""
    counts = []
    for i, fraction in enumerate(lengths):
        if fraction < 0 or fraction > 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts.append(math.floor(len(dataset) * fraction))
    for i in range(len(dataset) - sum(counts)):
        counts[i % len(counts)] += 1
    return counts


def random_split(dataset, lengths, generator=None):
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _counts(dataset, lengths)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = torch.randperm(sum(lengths), generator=generator).tolist()
    parts = []
    place = 0
    for length in lengths:
        parts.append(Subset(dataset, indices[place:place + length]))
        place += length
    return parts

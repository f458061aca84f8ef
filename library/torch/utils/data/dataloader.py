"""`DataLoader`: goes through a data set in batches.

    for x, y in DataLoader(TensorDataset(xs, ys), batch_size=32, shuffle=True):
        ...

With `pin_memory=True`, and a GPU, batches lie in pinned memory. Samples are loaded where the loader
is used: `num_workers` other than 0 is refused, for there are no processes. A shuffled order is
PyTorch's own for the same seed.
"""
import torch
from torch.utils.data.dataset import IterableDataset
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler


def default_collate(batch):
    """Many samples as one: tensors stacked, numbers as tensors, tuples and dicts part by part."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(list(batch))
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        if any([len(sample) != len(first) for sample in batch]):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(list(parts)) for parts in zip(*batch)]
    raise TypeError("default_collate: batch must contain tensors, numpy arrays, numbers, dicts or "
                    f"lists; found {type(first)}")


def _default_convert(sample):
    return sample


def _pinned(data):
    """A batch whose tensors lie in memory that a GPU copies from by itself."""
    if isinstance(data, torch.Tensor):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, dict):
        return {key: _pinned(part) for key, part in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*[_pinned(part) for part in data])
    if isinstance(data, (tuple, list)):
        return [_pinned(part) for part in data]
    return data.pin_memory() if hasattr(data, "pin_memory") else data


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None,
                 num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0,
                 worker_init_fn=None, multiprocessing_context=None, generator=None, *,
                 prefetch_factor=None, persistent_workers=False):
        if num_workers != 0:
            raise NotImplementedError("num_workers other than 0 is not available: there are no "
                                      "processes here")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self.dataset = dataset
        self.drop_last = drop_last
        self.num_workers = num_workers
        self.generator = generator
        self.pin_memory = pin_memory
        self._iterates = isinstance(dataset, IterableDataset)
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, "
                                 "shuffle, sampler, and drop_last")
            batch_size = None
        if sampler is None and not self._iterates:
            sampler = (RandomSampler(dataset, generator=generator) if shuffle
                       else SequentialSampler(dataset))
        if batch_size is not None and not self._iterates:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        batches = batch_size is not None or batch_sampler is not None
        if collate_fn is None:
            collate_fn = default_collate if batches else _default_convert
        self.collate_fn = collate_fn

    def __iter__(self):
        # Each pass draws a number from the default generator, as PyTorch does for its workers.
        torch.empty((), dtype=torch.int64).random_(generator=self.generator)
        batches = self._iterate() if self._iterates else self._load()
        pins = self.pin_memory and torch.cuda.is_available()
        return (_pinned(batch) for batch in batches) if pins else batches

    def _load(self):
        if self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
        else:
            for batch in self.batch_sampler:
                yield self.collate_fn([self.dataset[index] for index in batch])

    def _iterate(self):
        if self.batch_size is None:
            for sample in self.dataset:
                yield self.collate_fn(sample)
            return
        batch = []
        for sample in self.dataset:
            batch.append(sample)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        return len(self.sampler)

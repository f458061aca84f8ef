"""`DataLoader`: goes through a data set in batches.

    for x, y in DataLoader(TensorDataset(xs, ys), batch_size=32, shuffle=True):
        ...

With `pin_memory=True`, and a GPU, batches lie in pinned memory. A shuffled order is PyTorch's own for
the same seed. Samples are loaded where the loader is used: there are no processes, and `num_workers` says
whose turn it is (`_workers.py`).
"""
import torch
import torch.utils.data._workers as _workers
from torch.utils.data.dataset import IterableDataset
from torch.utils.data.sampler import (
    BatchSampler, RandomSampler, SequentialSampler, _InfiniteConstantSampler)


def default_collate(batch):
    """Many samples as one: tensors stacked, numbers as tensors, tuples and dicts part by part."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(list(batch))
    if type(first).__module__ == "numpy":
        return torch.stack([torch.as_tensor(sample) for sample in batch])
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
        collated = [default_collate(parts) for parts in zip(*batch)]
        return type(first)(*collated) if hasattr(first, "_fields") else collated
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


class _Iteration:
    """A pass of a loader: what `iter(loader)` gives."""

    def __init__(self, batches, indices, pins):
        self._batches, self._indices, self._pins = batches, indices, pins

    def __iter__(self):
        return self

    def __next__(self):
        batch = next(self._batches)
        return _pinned(batch) if self._pins else batch

    def __len__(self):
        return len(self._indices)


class _Gathered:
    """The batches of an `IterableDataset`; goes on behind a sample that raised, where its iterator does."""

    def __init__(self, loader, dataset):
        self._loader, self._samples, self._has_ended = loader, iter(dataset), False

    def __iter__(self):
        return self

    def __next__(self):
        if self._has_ended:
            raise StopIteration
        loader = self._loader
        return loader.collate_fn(next(self._samples) if loader.batch_size is None else self._batch())

    def _batch(self):
        batch, size, samples = [], self._loader.batch_size, self._samples
        try:
            while len(batch) < size:
                batch.append(next(samples))
        except StopIteration:
            self._has_ended = True
            if not batch or self._loader.drop_last:
                raise
        return batch


class DataLoader:
    def __class_getitem__(cls, parameters):
        return cls

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None,
                 num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0,
                 worker_init_fn=None, multiprocessing_context=None, generator=None, *,
                 prefetch_factor=None, persistent_workers=False):
        self._check_workers(num_workers, timeout, multiprocessing_context, prefetch_factor,
                            persistent_workers)
        self._iterates = isinstance(dataset, IterableDataset)
        if self._iterates:
            self._check_has_no_order(shuffle=shuffle or None, sampler=sampler, batch_sampler=batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self.dataset = dataset
        self.drop_last = drop_last
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.persistent_workers = persistent_workers
        self._workers = None
        self.generator = generator
        self.pin_memory = pin_memory
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, "
                                 "shuffle, sampler, and drop_last")
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive "
                             "with drop_last")
        if self._iterates:
            sampler = _InfiniteConstantSampler()
        elif sampler is None:
            sampler = (RandomSampler(dataset, generator=generator) if shuffle
                       else SequentialSampler(dataset))
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        batches = batch_size is not None or batch_sampler is not None
        if collate_fn is None:
            collate_fn = default_collate if batches else _default_convert
        self.collate_fn = collate_fn

    @staticmethod
    def _check_has_no_order(**options):
        """An `IterableDataset` has its own."""
        for name, given in options.items():
            if given is not None:
                raise ValueError(f"DataLoader with IterableDataset: expected unspecified {name} option, "
                                 f"but got {name}={given}")

    @staticmethod
    def _check_workers(num_workers, timeout, context, prefetch_factor, persistent):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable "
                             "multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let "
                             "num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor "
                             "to None.")
        if num_workers > 0 and prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if context is not None and num_workers == 0:
            raise ValueError("multiprocessing_context can only be used with multi-process loading "
                             f"(num_workers > 0), but got num_workers={num_workers}")

    def __iter__(self):
        batches = self._by_workers() if self.num_workers > 0 else self._by_itself()
        return _Iteration(batches, self._indices(), self.pin_memory and torch.cuda.is_available())

    def _by_itself(self):
        indices, _ = self._begin()
        if self._iterates:
            return self._batches_of(self.dataset)
        return map(lambda index: self._load(self.dataset, index), indices)

    def _by_workers(self):
        workers = self._workers
        if workers is None:
            _, seed = self._begin()
            if self.prefetch_factor == 0:
                raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
            workers = _workers.start(self, seed)
        if self.persistent_workers:
            self._workers = workers
        if self._iterates:
            return _workers.iterate_in_turn(workers, self._batches_of)
        # The sampler begins once more: who draws as it begins is asked twice.
        return _workers.load_in_turn(self, workers, iter(self._indices()), self._load)

    def _begin(self):
        """The sampler's numbers, which it may draw, and behind them the number that workers are seeded with."""
        indices = None if self._iterates else iter(self._indices())
        return indices, torch.empty((), dtype=torch.int64).random_(generator=self.generator).item()

    def _indices(self):
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def _load(self, dataset, index):
        if self.batch_sampler is None:
            return self.collate_fn(dataset[index])
        if getattr(dataset, "__getitems__", None):
            return self.collate_fn(dataset.__getitems__(index))
        return self.collate_fn([dataset[each] for each in index])

    def _batches_of(self, dataset):
        return _Gathered(self, dataset)

    def __len__(self):
        if not self._iterates:
            return len(self._indices())
        samples = range(len(self.dataset))
        if self.batch_size is None:
            return len(samples)
        return len(BatchSampler(samples, self.batch_size, self.drop_last))

"""The workers of a `DataLoader`: who loads which batch, and with which random numbers.

    DataLoader(data, 2, num_workers=2)      batches 0, 2, 4 ... are worker 0's, 1, 3, 5 ... worker 1's

A worker is no process here: batches are loaded where the loader is used, one when it is asked for. All
else is as if it were one. It has a shallow copy of the data set, a seed of its own (the loader's, plus its
number), and generators that go on where it left them; `get_worker_info()` is about it while it loads. An
`IterableDataset` is gone through by each of them.
"""
import copy
import random
import traceback
from collections import deque

import torch

_at_work = None


class WorkerInfo:
    def __init__(self, id, num_workers, seed, dataset):
        self.id, self.num_workers, self.seed, self.dataset = id, num_workers, seed, dataset

    def __repr__(self):
        return f"WorkerInfo(id={self.id}, num_workers={self.num_workers}, seed={self.seed}, dataset={self.dataset})"


def get_worker_info():
    """The worker that loads at the moment: `id`, `num_workers`, `seed`, `dataset`; None outside of one."""
    return _at_work


class _Worker:
    def __init__(self, loader, number, seed):
        self.info = WorkerInfo(number, loader.num_workers, seed + number, copy.copy(loader.dataset))
        self._states = None
        self._iterator = None
        self._error = None  # of its beginning, which its first batch tells
        self.run(lambda: self._begin(loader.worker_init_fn))

    def _begin(self, init):
        random.seed(self.info.seed)
        torch.default_generator.manual_seed(self.info.seed)
        if init is None:
            return
        # What it seeds of a GPU would be another process's.
        devices = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
        try:
            init(self.info.id)
        except Exception as error:
            self._error = _caught(error, self.info.id)
        torch.cuda.set_rng_state_all(devices)

    def run(self, work):
        """`work()` with this worker's numbers, as what `get_worker_info` gives."""
        global _at_work
        before, outside = _at_work, (random.getstate(), torch.get_rng_state())
        if self._states is not None:
            random.setstate(self._states[0])
            torch.set_rng_state(self._states[1])
        _at_work = self.info
        try:
            return work()
        finally:
            _at_work = before
            self._states = random.getstate(), torch.get_rng_state()
            random.setstate(outside[0])
            torch.set_rng_state(outside[1])

    def load(self, index, load):
        self._tell_error()
        return self.run(lambda: load(self.info.dataset, index))

    def begin_pass(self, batches_of):
        if self._error is not None:
            return
        try:
            self._iterator = self.run(lambda: iter(batches_of(self.info.dataset)))
        except Exception as error:
            self._error = error

    def next_batch(self):
        """Of an `IterableDataset`; raises `StopIteration` behind the last."""
        self._tell_error()
        return self.run(lambda: next(self._iterator))

    def _tell_error(self):
        error, self._error = self._error, None
        if error is not None:
            raise error


def _caught(error, number):
    """What PyTorch makes of an error in a worker's process."""
    kind = type(error)
    text = f"Caught {kind.__name__} in DataLoader worker process {number}.\nOriginal {traceback.format_exc()}"
    try:
        return kind(text)
    except Exception:
        return RuntimeError(text)


def start(loader, seed):
    return [_Worker(loader, number, seed) for number in range(loader.num_workers)]


def load_in_turn(loader, workers, indices, load):
    """A batch for each of the sampler's `indices`, which are asked for as far ahead as PyTorch does it."""
    waiting = deque()
    for _ in range(loader.prefetch_factor * len(workers)):
        _ask(indices, waiting)
    return _Loaded(workers, indices, waiting, load)


def _ask(indices, waiting):
    for index in indices:
        waiting.append(index)
        return


class _Loaded:
    """Goes on with the next batch behind one whose data set raised."""

    def __init__(self, workers, indices, waiting, load):
        self._workers, self._indices, self._waiting, self._load = workers, indices, waiting, load
        self._turn = 0

    def __iter__(self):
        return self

    def __next__(self):
        if not self._waiting:
            raise StopIteration
        worker, index = self._workers[self._turn % len(self._workers)], self._waiting.popleft()
        self._turn += 1
        try:
            return worker.load(index, self._load)
        finally:
            _ask(self._indices, self._waiting)


def iterate_in_turn(workers, batches_of):
    """The batches that each worker makes of its data set, as long as it has some."""
    for worker in workers:
        worker.begin_pass(batches_of)
    return _Iterated(workers)


class _Iterated:
    """Goes on with the next worker behind a batch whose data set raised."""

    def __init__(self, workers):
        self._active, self._turn = list(workers), 0

    def __iter__(self):
        return self

    def __next__(self):
        while self._active:
            place = self._turn % len(self._active)
            self._turn = place + 1
            try:
                return self._active[place].next_batch()
            except StopIteration:
                self._active.pop(place)
                self._turn = place
        raise StopIteration

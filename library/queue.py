"""Queues, in a script that has one thread.

    q = Queue(maxsize=2)
    q.put(1); q.get()        1
    q.get_nowait()           raises Empty

What would wait for another thread, without a time, raises RuntimeError: there is none.
"""
import time
from collections import deque
from heapq import heappop, heappush

__all__ = ["Empty", "Full", "LifoQueue", "PriorityQueue", "Queue", "SimpleQueue"]


class Empty(Exception):
    """There is nothing to get."""

    __module__ = "_queue"


class Full(Exception):
    """There is no room to put anything."""


def _wait(wanted, timeout, error):
    """Waits for what no other thread can do."""
    if timeout is None:
        raise RuntimeError(f"{wanted} would wait for ever: a script runs in one thread")
    if timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")
    time.sleep(timeout)
    raise error


class Queue:
    """First in, first out; of at most `maxsize` items, where that is above 0."""

    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._init(maxsize)
        self.unfinished_tasks = 0

    def _init(self, maxsize):
        self.queue = deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        if self.full():
            if not block:
                raise Full
            _wait("put() into a full queue", timeout, Full)
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if self.empty():
            if not block:
                raise Empty
            _wait("get() of an empty queue", timeout, Empty)
        return self._get()

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _wait("join() of a queue with unfinished tasks", None, None)


class PriorityQueue(Queue):
    """The smallest item first."""

    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        heappush(self.queue, item)

    def _get(self):
        return heappop(self.queue)


class LifoQueue(Queue):
    """Last in, first out."""

    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class SimpleQueue:
    """A queue without a bound, and without tasks to be done."""

    __module__ = "_queue"

    def __init__(self):
        self._queue = Queue()

    def put(self, item, block=True, timeout=None):
        self._queue.put(item)

    def put_nowait(self, item):
        self._queue.put(item)

    def get(self, block=True, timeout=None):
        return self._queue.get(block, timeout)

    def get_nowait(self):
        return self._queue.get(block=False)

    def qsize(self):
        return self._queue.qsize()

    def empty(self):
        return self._queue.empty()

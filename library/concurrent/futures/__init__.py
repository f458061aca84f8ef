"""Calls whose results come later, in a program that runs one thread at a time.

    with ThreadPoolExecutor(max_workers=4) as pool:
        future = pool.submit(pow, 2, 5)          runs `pow(2, 5)` to its end
        future.result()                          32

A call runs when it is submitted, so that a future is done from its beginning.
"""
import itertools as _itertools
import time as _time
from collections import namedtuple as _namedtuple

__all__ = ["FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED", "CancelledError", "TimeoutError",
           "InvalidStateError", "BrokenExecutor", "Future", "Executor", "wait", "as_completed",
           "ThreadPoolExecutor"]

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"
TimeoutError = TimeoutError
DoneAndNotDoneFutures = _namedtuple("DoneAndNotDoneFutures", "done not_done")


class Error(Exception):
    pass


class CancelledError(Error):
    """The Future was cancelled."""


class InvalidStateError(Error):
    """The operation is not allowed in this state."""


class BrokenExecutor(RuntimeError):
    """Raised when a executor has become non-functional after a severe failure."""


class Future:
    def __init__(self):
        self._state, self._result, self._exception = "PENDING", None, None
        self._done_callbacks = []

    def __repr__(self):
        text = f"<{type(self).__name__} at {id(self):#x} state={self._state.lower()}"
        if self._state != "FINISHED":
            return text + ">"
        if self._exception:
            return f"{text} raised {type(self._exception).__name__}>"
        return f"{text} returned {type(self._result).__name__}>"

    def cancel(self):
        if self._state in ("RUNNING", "FINISHED"):
            return False
        if self._state == "PENDING":
            self._state = "CANCELLED"
            self._call_back()
        return True

    def cancelled(self):
        return self._state in ("CANCELLED", "CANCELLED_AND_NOTIFIED")

    def running(self):
        return self._state == "RUNNING"

    def done(self):
        return self._state in ("CANCELLED", "CANCELLED_AND_NOTIFIED", "FINISHED")

    def add_done_callback(self, fn):
        if not self.done():
            self._done_callbacks.append(fn)
        else:
            self._call_one(fn)

    def _call_one(self, fn):
        try:
            fn(self)
        except Exception:
            import logging
            logging.getLogger("concurrent.futures").exception("exception calling callback for %r", self)

    def _call_back(self):
        for fn in self._done_callbacks:
            self._call_one(fn)

    def _settle(self, timeout):
        if self.cancelled():
            raise CancelledError()
        if self._state == "FINISHED":
            return
        if timeout is None:
            raise RuntimeError("result() would wait for ever: threads run one after the other, each to its end when "
                               "it is started")
        _time.sleep(max(timeout, 0))
        raise TimeoutError()

    def result(self, timeout=None):
        self._settle(timeout)
        if self._exception:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        self._settle(timeout)
        return self._exception

    def set_running_or_notify_cancel(self):
        if self._state == "CANCELLED":
            self._state = "CANCELLED_AND_NOTIFIED"
            return False
        if self._state == "PENDING":
            self._state = "RUNNING"
            return True
        raise RuntimeError("Future in unexpected state")

    def set_result(self, result):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")
        self._result, self._state = result, "FINISHED"
        self._call_back()

    def set_exception(self, exception):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")
        self._exception, self._state = exception, "FINISHED"
        self._call_back()


class Executor:
    def submit(self, fn, /, *args, **kwargs):
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *args) for args in zip(*iterables)]

        def results():
            futures.reverse()
            while futures:
                yield futures.pop().result()
        return results()

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.shutdown(wait=True)
        return False


_pools = _itertools.count()


class ThreadPoolExecutor(Executor):
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers
        self._prefix = thread_name_prefix or f"ThreadPoolExecutor-{next(_pools)}"
        self._initializer, self._initargs = initializer, initargs
        self._shutdown, self._worker = False, None

    def submit(self, fn, /, *args, **kwargs):
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        self._within_worker(lambda: self._work(future, fn, args, kwargs))
        return future

    def _within_worker(self, work):
        """Runs it as the pool's one thread, which is always free: what it ran before has ended."""
        if self._worker is None:
            import threading
            self._worker = threading.Thread(name=f"{self._prefix}_0")
            self._worker._begin()
            if self._initializer is not None:
                self._worker._within(lambda: self._initializer(*self._initargs))
        self._worker._within(work)

    def _work(self, future, fn, args, kwargs):
        future.set_running_or_notify_cancel()
        try:
            result = fn(*args, **kwargs)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    fs = set(fs)
    done = {f for f in fs if f.done()}
    return DoneAndNotDoneFutures(done, fs - done)


def as_completed(fs, timeout=None):
    """In the order in which they are listed, each once: they are done."""
    for future in dict.fromkeys(fs):
        if not future.done():
            future._settle(timeout)
        yield future


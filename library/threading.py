"""Threads, in a program that runs one at a time.

    t = Thread(target=work, args=(1,))
    t.start()                 runs `work(1)` to its end
    t.join()                  finds it ended

A thread runs when it is started, up to its end, so that what it writes comes where CPython's short threads write
it too. What would wait for another thread, without a time, raises RuntimeError: none goes on meanwhile. Locks,
events and thread-local attributes mean what they mean in CPython.
"""
import itertools as _itertools
import sys as _sys
import time as _time
from collections import namedtuple as _namedtuple

__all__ = ["get_ident", "active_count", "Condition", "current_thread", "enumerate", "main_thread", "TIMEOUT_MAX",
           "Event", "Lock", "RLock", "Semaphore", "BoundedSemaphore", "Thread", "Barrier", "BrokenBarrierError",
           "ThreadError", "local", "ExceptHookArgs", "excepthook", "get_native_id"]

ThreadError = RuntimeError
TIMEOUT_MAX = 9223372036.0
ExceptHookArgs = _namedtuple("ExceptHookArgs", ["exc_type", "exc_value", "exc_traceback", "thread"])
_FIRST_IDENT = 140000000000000
_numbers = _itertools.count(1)
_idents = _itertools.count(_FIRST_IDENT, 4096)
_running = []


def _wait(wanted, timeout):
    """Waits for what no other thread does meanwhile: gives False after that time."""
    if timeout is None:
        raise RuntimeError(f"{wanted} would wait for ever: threads run one after the other, each to its end when "
                           "it is started")
    _time.sleep(max(timeout, 0))
    return False


# ---- Locks ----

class _Lock:
    _name = "lock"

    def __init__(self):
        self._owner, self._count = None, 0

    def _is_free(self):
        return self._count == 0

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if not self._is_free():
            if not blocking:
                return False
            return _wait("acquire() of a lock that is held", None if timeout == -1 else timeout)
        self._owner, self._count = get_ident(), self._count + 1
        return True

    def release(self):
        if not self._count:
            raise RuntimeError("release unlocked lock")
        self._count -= 1

    def locked(self):
        return self._count > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()

    def __repr__(self):
        state = "locked" if self._count else "unlocked"
        return f"<{state} _thread.{self._name} object at {hex(id(self))}>"


class _ReentrantLock(_Lock):
    _name = "RLock"

    def _is_free(self):
        return self._count == 0 or self._owner == get_ident()

    def release(self):
        if not self._count or self._owner != get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1


def Lock():
    return _Lock()


def RLock():
    return _ReentrantLock()


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if self._value == 0:
            return _wait("acquire() of a semaphore that is 0", timeout) if blocking else False
        self._value -= 1
        return True

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        self._value += n


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def _check(self, wanted):
        if not self._lock.locked():
            raise RuntimeError(f"cannot {wanted} on un-acquired lock")

    def wait(self, timeout=None):
        self._check("wait")
        return _wait("wait() of a condition", timeout)

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        if not result:
            self.wait(timeout)
            result = predicate()
        return result

    def notify(self, n=1):
        self._check("notify")

    def notify_all(self):
        self._check("notify")

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *error):
        return self._lock.__exit__(*error)


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        return self._flag or _wait("wait() for an event that is not set", timeout)

    def __repr__(self):
        state = "set" if self._flag else "unset"
        return f"<threading.Event at {id(self):#x}: {state}>"


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    """Of one party: more than that would wait for one another."""

    def __init__(self, parties, action=None, timeout=None):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self.parties, self._action, self._timeout = parties, action, timeout
        self.n_waiting, self.broken = 0, False

    def wait(self, timeout=None):
        if self.broken:
            raise BrokenBarrierError
        if self.parties > 1:
            _wait("wait() at a barrier", self._timeout if timeout is None else timeout)
            self.broken = True
            raise BrokenBarrierError
        if self._action:
            self._action()
        return 0

    def reset(self):
        self.broken = False

    def abort(self):
        self.broken = True


# ---- Threads ----

class local:
    """Attributes of which each thread has its own."""

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        object.__setattr__(made, "_by_thread", {})
        object.__setattr__(made, "_arguments", (args, kwargs))
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        made._by_thread[get_ident()] = {}
        return made

    def _own(self):
        by_thread = object.__getattribute__(self, "_by_thread")
        ident = get_ident()
        if ident not in by_thread:
            by_thread[ident] = {}
            args, kwargs = object.__getattribute__(self, "_arguments")
            self.__init__(*args, **kwargs)
        return by_thread[ident]

    def __getattribute__(self, name):
        own = object.__getattribute__(self, "_own")
        if name == "__dict__":
            return own()
        if name in ("_own", "_by_thread", "_arguments"):
            return object.__getattribute__(self, name)
        values = own()
        return values[name] if name in values else object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        if name == "__dict__":
            raise AttributeError(f"{type(self).__name__!r} object attribute '__dict__' is read-only")
        self._own()[name] = value

    def __delattr__(self, name):
        if name not in self._own():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        del self._own()[name]


def excepthook(args, /):
    """Writes what ended a thread."""
    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread is not None else get_ident()
    print(f"Exception in thread {name}:", file=_sys.stderr)
    import traceback
    traceback.print_exception(args.exc_value, file=_sys.stderr)


__excepthook__ = excepthook


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        assert group is None, "group argument must be None for now"
        self._target, self._args, self._kwargs = target, args, {} if kwargs is None else kwargs
        if name is None:
            name = f"Thread-{next(_numbers)}"
            if target is not None and hasattr(target, "__name__"):
                name += f" ({target.__name__})"
        self._name = str(name)
        self._daemonic = current_thread().daemon if daemon is None else daemon
        self._ident, self._started, self._stopped, self._ready = None, False, False, True

    def __repr__(self):
        self._check_ready("")
        status = "stopped" if self._stopped else "started" if self._started else "initial"
        if self._daemonic:
            status += " daemon"
        if self._ident is not None:
            status += f" {self._ident}"
        return f"<{type(self).__name__}({self._name}, {status})>"

    def _check_ready(self, wanted="thread.__init__() not called"):
        if not getattr(self, "_ready", False):
            raise RuntimeError(wanted or "Thread.__init__() was not called")

    def start(self):
        self._check_ready()
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._begin()
        try:
            self._within(self.run)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            excepthook(ExceptHookArgs((type(error), error, error.__traceback__, self)))
        finally:
            self._stopped = True

    def _begin(self):
        self._started, self._ident = True, next(_idents)

    def _within(self, work):
        """Runs something as this thread."""
        _running.append(self)
        try:
            with _grad_mode_of_a_thread():
                work()
        finally:
            _running.pop()

    def run(self):
        try:
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        finally:
            del self._target, self._args, self._kwargs

    def join(self, timeout=None):
        self._check_ready("Thread.__init__() not called")
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        if not self._stopped:
            _wait("join() of a thread that started this one", timeout)

    def is_alive(self):
        self._check_ready("Thread.__init__() not called")
        return self._started and not self._stopped

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        self._name = str(name)

    @property
    def ident(self):
        return self._ident

    @property
    def native_id(self):
        return self._ident

    @property
    def daemon(self):
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic):
        self._check_ready("Thread.__init__() not called")
        if self._started:
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemonic = daemonic

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemonic):
        self.daemon = daemonic


class _grad_mode_of_a_thread:
    """A thread begins with gradients recorded, whatever the one does that starts it."""

    def __enter__(self):
        self._torch = _sys.modules.get("torch")
        if self._torch is not None:
            self._before = self._torch.is_grad_enabled()
            self._torch.set_grad_enabled(True)

    def __exit__(self, *error):
        if self._torch is not None:
            self._torch.set_grad_enabled(self._before)


class _MainThread(Thread):
    def __init__(self):
        self._name, self._daemonic, self._ready = "MainThread", False, True
        self._ident, self._started, self._stopped = next(_idents), True, False

    def start(self):
        raise RuntimeError("threads can only be started once")


_main_thread = _MainThread()


def current_thread():
    return _running[-1] if _running else _main_thread


def main_thread():
    return _main_thread


def get_ident():
    return current_thread()._ident


get_native_id = get_ident


def active_count():
    return len(_running) + 1


def enumerate():
    return [_main_thread, *_running]


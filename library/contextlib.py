"""Helpers for `with`.

    @contextmanager
    def timed(label):
        start = time.perf_counter()
        yield
        print(label, time.perf_counter() - start)
"""
from functools import wraps as _wraps


class ContextDecorator:
    def __call__(self, function):
        @_wraps(function)
        def inner(*args, **keywords):
            with self:
                return function(*args, **keywords)

        return inner


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, function, args, keywords):
        self._function = function
        self._args = args
        self._keywords = keywords
        self._generator = function(*args, **keywords)

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, traceback):
        if kind is None:
            try:
                next(self._generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = kind()
        try:
            self._generator.throw(value)
        except StopIteration as stop:
            return stop is not value
        except BaseException as error:
            if error is not value:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, function):
        @_wraps(function)
        def inner(*args, **keywords):
            with _GeneratorContextManager(self._function, self._args, self._keywords):
                return function(*args, **keywords)

        return inner


def contextmanager(function):
    @_wraps(function)
    def helper(*args, **keywords):
        return _GeneratorContextManager(function, args, keywords)

    return helper


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        return kind is not None and issubclass(kind, self._exceptions)


class _Redirect:
    def __init__(self, new_target):
        self._target = new_target
        self._old = []

    def __enter__(self):
        import sys
        self._old.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._target)
        return self._target

    def __exit__(self, kind, value, traceback):
        import sys
        setattr(sys, self._stream, self._old.pop())


class redirect_stdout(_Redirect):
    _stream = "stdout"


class redirect_stderr(_Redirect):
    _stream = "stderr"


class ExitStack:
    def __init__(self):
        self._callbacks = []

    def enter_context(self, manager):
        result = manager.__enter__()
        self._callbacks.append(manager.__exit__)
        return result

    def push(self, exit):
        self._callbacks.append(exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, function, /, *args, **keywords):
        def run(kind, value, traceback):
            function(*args, **keywords)

        self._callbacks.append(run)
        return function

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        swallowed = False
        pending = value
        while self._callbacks:
            callback = self._callbacks.pop()
            try:
                if callback(None if pending is None else type(pending), pending, None):
                    swallowed = True
                    pending = None
            except BaseException as error:
                pending = error
                swallowed = False
        if pending is not None and pending is not value:
            raise pending
        return swallowed and value is not None

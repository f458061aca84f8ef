"""Counts of what was compiled, under the names that scripts know."""
import _glint_compile


class _Stats:
    def __init__(self):
        self._start = 0

    def __getitem__(self, key):
        if key == "unique_graphs":
            return _glint_compile.compile_count() - self._start
        return 0

    def clear(self):
        self._start = _glint_compile.compile_count()


class _Counters:
    def __init__(self):
        self._stats = _Stats()

    def __getitem__(self, key):
        return self._stats if key == "stats" else {}

    def clear(self):
        self._stats.clear()


counters = _Counters()

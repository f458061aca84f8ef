"""One number for several: what modules of scripts take for `kernel_size=3`.

    _pair(3), _pair((1, 2))                  (3, 3), (1, 2)
    _reverse_repeat_tuple((1, 2), 2)         (2, 2, 1, 1), as `F.pad` counts
"""
from collections.abc import Iterable


def _ntuple(n, name="parse"):
    def parse(x):
        return tuple(x) if isinstance(x, Iterable) else (x,) * n

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    return tuple([x for x in reversed(t) for _ in range(n)])

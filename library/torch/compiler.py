"""What a script says about compilation: `torch.compiler.disable`, `set_stance`, `is_compiling`.

    with torch.compiler.set_stance("force_eager"):
        f(x)                                   # not compiled, and not what was compiled before
"""
import functools

import _glint_compile
from torch._compile import _BACKENDS, compile


def disable(fn=None, recursive=True, *, reason=None):
    """A function that a compiled caller does not inline: it runs eagerly. The graph break says why."""
    if fn is None:
        return lambda function: disable(function, recursive, reason=reason)
    fn._torchdynamo_disable = True
    fn._torchdynamo_disable_msg = reason
    return fn


def reset():
    _glint_compile.reset()


def allow_in_graph(fn):
    """Capture goes into every function, so that there is nothing to allow."""
    return fn


def cudagraph_mark_step_begin():
    """A recorded schedule's results are its caller's own, so that no step ends their life."""


# In the order of the numbers that capture knows them by.
_STANCES = ["default", "force_eager", "eager_on_recompile", "fail_on_recompile"]
_stance = "default"


def _take_stance(name):
    """The stance that was there before."""
    global _stance
    before = _stance
    if name not in _STANCES:
        raise NotImplementedError(f"the stance {name!r} is not there yet; there are {', '.join(_STANCES)}")
    _glint_compile.set_stance(_STANCES.index(name))
    _stance = name
    return before


class set_stance:
    """What compiled functions do from now on, in a `with` block, or in a decorated function.

    `force_eager`: they run eagerly. `eager_on_recompile`: code that is there is used, and nothing is
    compiled. `fail_on_recompile`: what would be compiled raises.
    """

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if force_backend is not None:
            if stance != "default":
                raise RuntimeError("non-default stance cannot have force_backend set")
            raise NotImplementedError("force_backend is not there yet")
        self._wanted = stance
        self._before = _take_stance(stance)

    def __enter__(self):
        _take_stance(self._wanted)

    def __exit__(self, *exception):
        _take_stance(self._before)

    def __call__(self, function):
        _take_stance(self._before)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            before = _take_stance(self._wanted)
            try:
                return function(*args, **kwargs)
            finally:
                _take_stance(before)

        return wrapper


is_compiling = is_dynamo_compiling = _glint_compile.is_compiling


def list_backends(exclude_tags=("debug", "experimental")):
    return list(_BACKENDS)

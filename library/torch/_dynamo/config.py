"""Settings of capture, read at each compile.

    import torch._dynamo.config
    torch._dynamo.config.recompile_limit = 16
    with torch._dynamo.config.patch(error_on_recompile=True):
        f(x)
"""
import functools

# How many sets of guards a function is compiled for before it runs eagerly.
recompile_limit = 8
# A backend that raises costs a warning instead of an exception; the graph runs eagerly.
suppress_errors = False
# A function that was compiled, and would be again for other inputs, raises RecompileError.
error_on_recompile = False
# A size or a number that differs from call to call is symbolic from the second compile on.
automatic_dynamic_shapes = True

# PyTorch's settings of what changes no result, and is decided otherwise here: a region ends where it
# needs a tensor's value, messages are always whole, and only the limit of each function counts.
capture_scalar_outputs = False
capture_dynamic_output_shape_ops = False
verbose = False
accumulated_recompile_limit = 256

_OLD_NAMES = {"cache_size_limit": "recompile_limit",
              "accumulated_cache_size_limit": "accumulated_recompile_limit"}


def _setting(name):
    name = _OLD_NAMES.get(name, name)
    if name.startswith("_") or name not in globals():
        raise AttributeError(f"torch._dynamo.config.{name} does not exist")
    return name


def __getattr__(name):
    return globals()[_setting(name)]


def _set_attribute_(name, value):
    """What an assignment to an attribute of this module runs."""
    globals()[_setting(name)] = value


class patch:
    """Other settings in a `with` block, or in a decorated function."""

    def __init__(self, name=None, value=None, **changes):
        if isinstance(name, str):
            changes[name] = value
        elif name is not None:
            changes.update(name)
        self._changes = {_setting(each): changes[each] for each in changes}
        self._before = []

    def __enter__(self):
        self._before.append({name: globals()[name] for name in self._changes})
        globals().update(self._changes)

    def __exit__(self, *exception):
        globals().update(self._before.pop())

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with patch(self._changes):
                return function(*args, **kwargs)

        return wrapper

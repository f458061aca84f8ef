"""What a script says about compilation: `torch.compiler.disable`, `reset`, `is_compiling`."""
import _glint_compile
from torch._compile import _BACKENDS, compile


def disable(fn=None, recursive=True):
    """A function that a compiled caller does not inline: it runs eagerly."""
    if fn is None:
        return lambda function: disable(function, recursive)
    fn._torchdynamo_disable = True
    return fn


def reset():
    _glint_compile.reset()


is_compiling = is_dynamo_compiling = _glint_compile.is_compiling


def list_backends(exclude_tags=("debug", "experimental")):
    return list(_BACKENDS)

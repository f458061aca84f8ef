"""`torch.compile`, as a function and as a decorator with and without arguments."""
import _glint_compile


_BACKENDS = ["aot_eager", "cpu", "eager", "inductor", "interp"]


class InvalidBackend(RuntimeError):
    pass


def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend="inductor",
    mode=None,
    options=None,
    disable=False,
):
    if model is None:

        def decorate(function):
            return compile(
                function,
                fullgraph=fullgraph,
                dynamic=dynamic,
                backend=backend,
                mode=mode,
                options=options,
                disable=disable,
            )

        return decorate
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if isinstance(backend, str) and backend not in _BACKENDS:
        raise InvalidBackend(
            f"Invalid backend: {backend!r}, see `torch._dynamo.list_backends()` for available backends."
        )
    return _glint_compile.compile(model, fullgraph, dynamic, backend, mode, options, disable)

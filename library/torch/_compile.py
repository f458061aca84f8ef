"""`torch.compile`, as a function and as a decorator with and without arguments."""
import _glint_compile


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
    return _glint_compile.compile(model, fullgraph, dynamic, backend, mode, options, disable)

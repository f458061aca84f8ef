"""`torch.compile`, as a function and as a decorator with and without arguments."""
import _glint_compile


_BACKENDS = sorted(["inductor"] + _glint_compile.backends())


_MODES = ["default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"]
# The options of PyTorch's compiler that are accepted, with the type of each; they tune what Glint
# decides by itself, so that none changes a result.
_OPTIONS = {
    "coordinate_descent_tuning": bool,
    "debug": bool,
    "disable_progress": bool,
    "epilogue_fusion": bool,
    "fallback_random": bool,
    "max_autotune": bool,
    "max_autotune_gemm": bool,
    "max_autotune_pointwise": bool,
    "max_fusion_size": int,
    "shape_padding": bool,
    "trace.enabled": bool,
    "triton.cudagraphs": bool,
    "verbose_progress": bool,
}


def _check_mode_and_options(mode, options):
    if mode is not None and mode not in _MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    for name, value in (options or {}).items():
        name = name.replace("-", "_")
        if name not in _OPTIONS:
            raise RuntimeError(
                f"Unexpected optimization option {name}, known options are {list(_OPTIONS)}"
            )
        if type(value) is not _OPTIONS[name]:
            raise RuntimeError(
                f"Unexpected type of attr {name}, got {type(value).__name__} should be {_OPTIONS[name].__name__}"
            )


def _mode_of(mode, options):
    """The mode that options come down to: which of launches are recorded and kernels tuned."""
    given = {name.replace("-", "_"): value for name, value in (options or {}).items()}
    tunes = any(given.get(name) for name in ["max_autotune", "max_autotune_gemm", "max_autotune_pointwise"])
    if given.get("triton.cudagraphs"):
        return "max-autotune" if tunes else "reduce-overhead"
    return "max-autotune-no-cudagraphs" if tunes else mode


def _traceable(function):
    """What is called for a function: of one that no script has the text of, such as `torch.dot`, a
    function that calls it."""
    if type(function) is not type(len):
        return function

    def call(*arguments, **named):
        return function(*arguments, **named)

    call.__name__ = call.__qualname__ = function.__name__
    call.__module__ = function.__module__
    call.__doc__ = function.__doc__
    return call


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None,
            options=None, disable=False):
    """The function, or module, that compiles itself when it is called."""
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
        from torch._dynamo.exc import InvalidBackend

        raise InvalidBackend(
            f"Invalid backend: {backend!r}. See `torch._dynamo.list_backends()` for available backends."
        )
    if backend == "inductor":
        _check_mode_and_options(mode, options)
    if dynamic is not None and not isinstance(dynamic, bool):
        raise AssertionError(f"Expected enable to be a bool, got {type(dynamic)}")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")

    if disable:
        return model
    if backend == "inductor":
        mode = _mode_of(mode, options)

    def compiled(callee):
        return _glint_compile.compile(_traceable(callee), fullgraph, dynamic, backend, mode, options, disable)

    if hasattr(model, "_modules") and not isinstance(model, type):
        from torch._dynamo.eval_frame import OptimizedModule

        if isinstance(model, OptimizedModule):
            model = model._orig_mod
        return OptimizedModule(model, compiled)
    return compiled(model)

"""What `torch` has besides operators: grad modes, number information, comparisons of tensors.

A name that the native module lacks is looked for here; the file loads when that first happens.
"""
import _glint_cuda
from torch import _native
from torch._layouts import layout, sparse_coo, strided
from torch._memory_format import (channels_last, channels_last_3d, contiguous_format, memory_format,
                                  preserve_format)
import torch


class _GradMode:
    """Sets whether gradients are recorded, for a `with` block or a decorated function."""

    _inference = None  # inference mode stays as it is

    def __init__(self, mode):
        self._mode = mode
        self._saved = []

    def __enter__(self):
        self._saved.append(_native.grad_modes())
        _native.set_grad_modes(self._mode, self._inference)

    def __exit__(self, kind, value, traceback):
        _native.set_grad_modes(*self._saved.pop())

    def __call__(self, function):
        def wrapper(*args, **kwargs):
            saved = _native.grad_modes()
            _native.set_grad_modes(self._mode, self._inference)
            try:
                return function(*args, **kwargs)
            finally:
                _native.set_grad_modes(*saved)

        wrapper.__name__ = getattr(function, "__name__", "wrapper")
        wrapper.__doc__ = getattr(function, "__doc__", None)
        wrapper.__wrapped__ = function
        return wrapper


class no_grad(_GradMode):
    def __new__(cls, orig_func=None):
        if orig_func is not None:
            return no_grad()(orig_func)
        return object.__new__(cls)

    def __init__(self, orig_func=None):
        super().__init__(False)


class enable_grad(_GradMode):
    def __new__(cls, orig_func=None):
        if orig_func is not None:
            return enable_grad()(orig_func)
        return object.__new__(cls)

    def __init__(self, orig_func=None):
        super().__init__(True)


class inference_mode(_GradMode):
    """Besides, tensors that are made meanwhile can never take part in what is recorded."""

    def __new__(cls, mode=True):
        if not isinstance(mode, bool):
            return inference_mode()(mode)
        return object.__new__(cls)

    def __init__(self, mode=True):
        super().__init__(not mode)
        self._inference = mode


class set_grad_enabled(_GradMode):
    """Sets the mode at once; as a decorator, for the calls of the function only."""

    def __init__(self, mode):
        super().__init__(mode)
        self._saved.append(_native.grad_modes())
        _native.set_grad_modes(mode)

    def __enter__(self):
        pass

    def __call__(self, function):
        _native.set_grad_modes(*self._saved.pop())
        return super().__call__(function)


def is_inference(input):
    return input.is_inference()


# ---- autocast ----

def is_autocast_enabled(device_type="cuda"):
    return _native.autocast_state(device_type)[0]


def get_autocast_dtype(device_type):
    return _native.autocast_state(device_type)[1]


def is_autocast_cache_enabled():
    return _native.autocast_state("cpu")[2]


def set_autocast_enabled(device_type, enabled):
    _, dtype, cached = _native.autocast_state(device_type)
    _native.set_autocast_state(device_type, enabled, dtype, cached)


def set_autocast_dtype(device_type, dtype):
    enabled, _, cached = _native.autocast_state(device_type)
    _native.set_autocast_state(device_type, enabled, dtype, cached)


def set_autocast_cache_enabled(enabled):
    on, dtype, _ = _native.autocast_state("cpu")
    _native.set_autocast_state("cpu", on, dtype, enabled)


def clear_autocast_cache():
    _native.clear_autocast_cache()


_floats = {
    "float64": (64, 2.220446049250313e-16, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-15),
    "float32": (32, 1.1920928955078125e-07, 3.4028234663852886e38, 1.1754943508222875e-38, 1e-06),
    "float16": (16, 0.0009765625, 65504.0, 6.103515625e-05, 0.001),
    "bfloat16": (16, 0.0078125, 3.3895313892515355e38, 1.1754943508222875e-38, 0.01),
}
_ints = {"uint8": (8, 0, 255), "int8": (8, -128, 127), "int16": (16, -32768, 32767),
         "int32": (32, -2147483648, 2147483647),
         "int64": (64, -9223372036854775807 - 1, 9223372036854775807)}


class finfo:
    def __init__(self, type=None):
        self.dtype = str(torch.get_default_dtype() if type is None else type)[6:]
        if self.dtype not in _floats:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo "
                            "to handle 'torch.finfo'")
        self.bits, self.eps, self.max, self.tiny, self.resolution = _floats[self.dtype]
        self.min = -self.max
        self.smallest_normal = self.tiny

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
                f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, "
                f"tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    def __init__(self, type):
        self.dtype = str(type)[6:]
        if self.dtype not in _ints:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to "
                            "handle 'torch.iinfo'")
        self.bits, self.min, self.max = _ints[self.dtype]

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def is_anomaly_enabled():
    return _native.anomaly_mode()[0]


def is_floating_point(input):
    return input.is_floating_point()


def is_complex(input):
    return input.is_complex()


def numel(input):
    return input.numel()


newaxis = None


def is_storage(obj):
    return False


def can_cast(from_, to):
    order = {torch.bool: 0}
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
        order[dtype] = 1
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        order[dtype] = 2
    for dtype in (torch.complex64, torch.complex128):
        order[dtype] = 3
    return order[from_] <= order[to]


def bincount(input, weights=None, minlength=0):
    return input.bincount(weights, minlength)


def broadcast_shapes(*shapes):
    rank = 0
    for shape in shapes:
        rank = max(rank, 1 if isinstance(shape, int) else len(shape))
    result = [1] * rank
    for shape in shapes:
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        for i in range(-len(sizes), 0):
            if sizes[i] == 1 or sizes[i] == result[i]:
                continue
            if result[i] != 1:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            result[i] = sizes[i]
    return torch.Size(result)


def broadcast_tensors(*tensors):
    shape = broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple([tensor.expand(shape) for tensor in tensors])


def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for tensor in tensors:
        if tensor.dim() > 1:
            rows = str(tensor).replace("\n", " ")
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {rows}")
    if indexing == "xy" and len(tensors) >= 2:
        second, first, *rest = meshgrid(tensors[1], tensors[0], *tensors[2:], indexing="ij")
        grids = [first, second] + rest
        return tuple(grids)
    shape = [tensor.numel() for tensor in tensors]
    grids = []
    for i, tensor in enumerate(tensors):
        view = [1] * len(tensors)
        view[i] = tensor.numel()
        grids.append(tensor.reshape(view).expand(shape))
    return tuple(grids)


def set_float32_matmul_precision(precision):
    """`high` and `medium` let a GPU's products round float32 to 10 bits of fraction (TF32)."""
    if precision in ("highest", "high", "medium"):
        torch.backends.cuda.matmul.precision = precision
    else:
        import warnings
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'; the current "
                      "setFloat32MatmulPrecision call has no effect.")


def get_float32_matmul_precision():
    return torch.backends.cuda.matmul.precision


def use_deterministic_algorithms(mode, *, warn_only=False):
    pass


def set_num_interop_threads(count):
    pass


def get_num_interop_threads():
    return 1


def are_deterministic_algorithms_enabled():
    return False


def get_default_device():
    return _glint_cuda.default_device()


def set_default_device(device):
    _glint_cuda.set_default_device(device)


def typename(obj):
    if isinstance(obj, torch.Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    module = kind.__module__
    return kind.__name__ if module in ("builtins", None) else f"{module}.{kind.__qualname__}"

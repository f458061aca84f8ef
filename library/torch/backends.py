"""`torch.backends`: the libraries that PyTorch may use. Those of NVIDIA are used on a GPU where they
are found. Switches may be set, and are kept, so that a script that tunes them runs unchanged; numbers
depend on `allow_tf32` of `cudnn` and `cuda.matmul` alone, and on a GPU with NVIDIA's libraries."""
import contextlib
import sys
import warnings

import _glint_cuda
from torch.nn._attention import _allowed


class _Library:
    """A library that is not there."""

    @staticmethod
    def is_available():
        return False

    @staticmethod
    def is_built():
        return False


class _Flags:
    """`with torch.backends.cudnn.flags(benchmark=True):` sets switches for a while."""

    def __init__(self, library, values):
        self._library = library
        self._values = values

    def __enter__(self):
        self._before = {name: getattr(self._library, name) for name in self._values}
        for name, value in self._values.items():
            setattr(self._library, name, value)

    def __exit__(self, *error):
        for name, value in self._before.items():
            setattr(self._library, name, value)
        return False


class _Cudnn(_Library):
    enabled = True
    benchmark = False
    benchmark_limit = 10
    deterministic = False
    allow_tf32 = True
    fp32_precision = "none"

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        _glint_cuda.set_cudnn(bool(self.enabled), bool(self.deterministic), bool(self.allow_tf32))

    @staticmethod
    def is_available():
        return _glint_cuda.cudnn_version() is not None

    @staticmethod
    def version():
        return _glint_cuda.cudnn_version()

    def flags(self, enabled=False, benchmark=False, benchmark_limit=10, deterministic=False,
              allow_tf32=True, fp32_precision="none"):
        return _Flags(self, {"enabled": enabled, "benchmark": benchmark,
                             "benchmark_limit": benchmark_limit, "deterministic": deterministic,
                             "allow_tf32": allow_tf32, "fp32_precision": fp32_precision})


class _Products:
    """`precision` is what `torch.set_float32_matmul_precision` sets."""

    _precision = "highest"

    @property
    def precision(self):
        return self._precision

    @precision.setter
    def precision(self, name):
        self._precision = name
        _glint_cuda.allow_tf32(name != "highest")

    @property
    def allow_tf32(self):
        return self._precision != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        self.precision = "high" if allowed else "highest"

    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    allow_fp16_accumulation = False
    fp32_precision = "none"


class _Cuda(_Library):
    """Attention has one form here, whichever of PyTorch's is switched on."""

    @staticmethod
    def is_built():
        return True

    def __init__(self):
        self.matmul = _Products()

    def flash_sdp_enabled(self):
        return _allowed["flash"]

    def mem_efficient_sdp_enabled(self):
        return _allowed["mem_efficient"]

    def math_sdp_enabled(self):
        return _allowed["math"]

    def cudnn_sdp_enabled(self):
        return _allowed["cudnn"]

    def enable_flash_sdp(self, enabled):
        _allowed["flash"] = enabled

    def enable_mem_efficient_sdp(self, enabled):
        _allowed["mem_efficient"] = enabled

    def enable_math_sdp(self, enabled):
        _allowed["math"] = enabled

    def enable_cudnn_sdp(self, enabled):
        _allowed["cudnn"] = enabled

    @contextlib.contextmanager
    def sdp_kernel(self, enable_flash=True, enable_math=True, enable_mem_efficient=True,
                   enable_cudnn=True):
        """The former form of `torch.nn.attention.sdpa_kernel`."""
        warnings.warn("`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context "
                      "manager will be removed. Please see `torch.nn.attention.sdpa_kernel()` for the "
                      "new context manager, with updated signature.", FutureWarning, stacklevel=3)
        before = dict(_allowed)
        try:
            _allowed.update(flash=enable_flash, math=enable_math,
                            mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
            yield {}
        finally:
            _allowed.update(before)


class _OneDnn(_Library):
    enabled = True


cudnn, cuda, mkldnn = _Cudnn(), _Cuda(), _OneDnn()
mps, mkl, openmp = _Library(), _Library(), _Library()
for _name in ("cudnn", "cuda", "mkldnn", "mps", "mkl", "openmp"):
    sys.modules[f"torch.backends.{_name}"] = globals()[_name]

"""Kernels written by hand, and what a GPU was asked to do."""
import warnings

import _glint_cuda


class RawKernel:
    """A kernel in CUDA C++: `extern "C" __global__ void NAME(...)`.

        scale = RawKernel(source, "scale")
        scale((4,), (256,), (x, 2.5, x.numel()))
    """

    def __init__(self, source, name):
        for warning in _glint_cuda.raw_compile(source, name):
            warnings.warn(warning, stacklevel=2)
        self.source = source
        self.name = name

    def __call__(self, grid, block, args, *, shared_mem=0):
        _glint_cuda.raw_launch(self.source, self.name, grid, block, args, shared_mem)

    def __repr__(self):
        return f"RawKernel({self.name!r})"


def copies():
    """How often memory was copied to the GPU and from it."""
    return _glint_cuda.traffic()[:2]


def launches():
    """How many kernels have been launched, and calls of NVIDIA's libraries made."""
    return _glint_cuda.traffic()[2]


def library_calls():
    """How many of these were calls of NVIDIA's libraries (cuBLASLt, cuDNN)."""
    return _glint_cuda.traffic()[4]


def programs():
    """How many programs, of one kernel or many, have been made, by NVRTC or from what is kept on disk."""
    return _glint_cuda.traffic()[3]


def timings():
    """How many ways of running a kernel mode="max-autotune" has timed, or estimated."""
    return _glint_cuda.traffic()[5]

"""`torch.cuda.profiler`: from where to where NVIDIA's tools record. None is attached, so that it does nothing.

    with torch.cuda.profiler.profile():
        ...
"""
import _glint_cuda


class _Runtime:
    def cudaProfilerStart(self):
        return 0

    def cudaProfilerStop(self):
        return 0


runtime = _Runtime()


def start():
    _glint_cuda.need()


def stop():
    _glint_cuda.need()


class profile:
    """What is done inside is recorded."""

    def __enter__(self):
        start()

    def __exit__(self, *exception):
        stop()

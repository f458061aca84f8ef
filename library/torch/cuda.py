"""`torch.cuda`: the one GPU there is, or the simulated one (GLINT_GPU=sim)."""
import time

import _glint_cuda
import torch


class OutOfMemoryError(RuntimeError):
    pass


def is_available():
    return _glint_cuda.problem() is None


def is_initialized():
    return is_available()


def init():
    _glint_cuda.need()


def device_count():
    return 1 if is_available() else 0


def _check(device):
    _glint_cuda.need()
    if device is None:
        return
    index = device if isinstance(device, int) else torch.device(device).index
    if index not in (None, 0):
        raise RuntimeError("CUDA error: invalid device ordinal")


def current_device():
    _glint_cuda.need()
    return 0


def set_device(device):
    _check(device)


def synchronize(device=None):
    _check(device)
    _glint_cuda.synchronize()


def get_device_name(device=None):
    _check(device)
    return _glint_cuda.properties()[0]


def get_device_capability(device=None):
    _check(device)
    return _glint_cuda.properties()[1:3]


class _DeviceProperties:
    def __init__(self, name, major, minor, total_memory, multi_processor_count):
        self.name = name
        self.major = major
        self.minor = minor
        self.total_memory = total_memory
        self.multi_processor_count = multi_processor_count

    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, "
                f"minor={self.minor}, total_memory={self.total_memory // 2**20}MB, "
                f"multi_processor_count={self.multi_processor_count})")


def get_device_properties(device=None):
    _check(device)
    return _DeviceProperties(*_glint_cuda.properties())


def memory_allocated(device=None):
    return _glint_cuda.memory()[0]


def max_memory_allocated(device=None):
    return _glint_cuda.memory()[1]


def memory_reserved(device=None):
    return _glint_cuda.memory()[2]


def max_memory_reserved(device=None):
    return _glint_cuda.memory()[3]


def reset_peak_memory_stats(device=None):
    _glint_cuda.reset_peaks()


def mem_get_info(device=None):
    _check(device)
    total = _glint_cuda.properties()[3]
    return total - memory_reserved(), total


def empty_cache():
    _glint_cuda.empty_cache()


def manual_seed(seed):
    torch.manual_seed(seed)


def manual_seed_all(seed):
    torch.manual_seed(seed)


class device:
    """`with torch.cuda.device(0):`"""

    def __init__(self, device):
        _check(device)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Stream:
    """All work runs in order: a stream is a name for that order."""

    def __init__(self, device=None, priority=0):
        _check(device)

    def synchronize(self):
        synchronize()

    def query(self):
        return True

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        event = event if event is not None else Event()
        event.record(self)
        return event


def current_stream(device=None):
    return Stream(device)


def default_stream(device=None):
    return Stream(device)


class stream:
    """`with torch.cuda.stream(s):`"""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        return self.stream

    def __exit__(self, *error):
        return False


class Event:
    """A point in the order of work; the time between two is that of the processor's clock."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        _glint_cuda.need()
        self._timed = enable_timing
        self._at = None

    def record(self, stream=None):
        _glint_cuda.synchronize()
        self._at = time.perf_counter()

    def query(self):
        return True

    def wait(self, stream=None):
        pass

    def synchronize(self):
        _glint_cuda.synchronize()

    def elapsed_time(self, end_event):
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._at is None or end_event._at is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._at - self._at) * 1000.0

"""`torch.cuda`: the one GPU there is, or the simulated one (GLINT_GPU=sim)."""
import sys
import warnings

import _glint_cuda
import torch
from torch import _native
from torch import _cuda_profiler as profiler
from torch import _nvtx as nvtx
from torch.cuda._indices import _index_of, _need
from torch.cuda.memory import *

OutOfMemoryError = torch.OutOfMemoryError
AcceleratorError = torch.AcceleratorError


def is_available():
    """Whether there is a GPU, and kernels can be made for it; where they cannot, or its driver does
    not start, a warning says why."""
    problem = _glint_cuda.driver_problem() or _glint_cuda.compiler_problem()
    if problem is not None:
        warnings.warn("CUDA initialization: " + problem)
        return False
    return _glint_cuda.problem() is None


def is_initialized():
    return _glint_cuda.problem() is None


def init():
    _glint_cuda.need()


def cudart():
    """Of CUDA's runtime what marks the stretch that a tool records."""
    init()
    return profiler.runtime


def device_count():
    return 1 if _glint_cuda.problem() is None else 0


# ---- Devices --------------------------------------------------------------------------------------

def current_device():
    _glint_cuda.need()
    return 0


def set_device(device):
    _glint_cuda.need()
    _need(_index_of(device, optional=False))


class device:
    """`with torch.cuda.device(0):`; a negative index changes nothing."""

    def __init__(self, device):
        self.idx = _index_of(device)

    def __enter__(self):
        _need(self.idx)

    def __exit__(self, *error):
        return False


class device_of(device):
    """The device of a tensor; of one on the processor, none."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


def synchronize(device=None):
    _need(device)
    _glint_cuda.synchronize()


def ipc_collect():
    """Gives back memory that another process has let go of: none has any."""
    _glint_cuda.need()


def get_sync_debug_mode():
    """What happens where the processor waits for the GPU: 0, nothing."""
    _glint_cuda.need()
    return 0


def set_sync_debug_mode(debug_mode):
    """Nobody watches where the processor waits: only "default", or 0, can be kept."""
    _glint_cuda.need()
    if isinstance(debug_mode, str) and debug_mode not in ("default", "warn", "error"):
        raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
    if debug_mode not in ("default", 0):
        raise NotImplementedError("waits are not watched; `glint.cuda.copies()` counts copies")


def get_device_name(device=None):
    return get_device_properties(device).name


def get_device_capability(device=None):
    found = get_device_properties(device)
    return found.major, found.minor


class _CudaDeviceProperties:
    def __init__(self, name, major, minor, total_memory, multi_processor_count, threads):
        self.name = name
        self.major = major
        self.minor = minor
        self.total_memory = total_memory
        self.multi_processor_count = multi_processor_count
        self.max_threads_per_multi_processor = threads
        self.max_threads_per_block = 1024
        self.warp_size = 32
        self.is_integrated = 0
        self.is_multi_gpu_board = 0

    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, "
                f"minor={self.minor}, total_memory={self.total_memory // 2**20}MB, "
                f"multi_processor_count={self.multi_processor_count})")


def get_device_properties(device=None):
    _glint_cuda.need()
    index = _index_of(device)
    if index < 0 or index >= device_count():
        raise AssertionError("Invalid device id")
    return _CudaDeviceProperties(*_glint_cuda.properties())


def can_device_access_peer(device, peer_device):
    for each in (device, peer_device):
        index = _index_of(each)
        if index < 0 or index >= device_count():
            raise AssertionError("Invalid device id" if each is device
                                 else "Invalid peer device id")
    return False


def is_bf16_supported(including_emulation=True):
    return is_available() and (including_emulation or get_device_properties().major >= 8)


def is_tf32_supported():
    return is_available() and get_device_properties().major >= 8


def get_gencode_flags():
    return " ".join(f"-gencode compute=compute_{arch[3:]},code={arch}" for arch in get_arch_list())


def get_arch_list():
    if not is_available():
        return []
    major, minor = get_device_capability()
    return [f"sm_{major}{minor}"]


# ---- Random numbers -------------------------------------------------------------------------------

default_generators = (torch._default_cuda_generator,)


def _generator(device):
    if _index_of(device) != 0:
        raise AcceleratorError("CUDA error: invalid device ordinal: there is one device, cuda:0")
    return default_generators[0]


def manual_seed(seed):
    """Starts the random numbers of the GPU; `torch.manual_seed` does, too."""
    default_generators[0].manual_seed(int(seed))


def manual_seed_all(seed):
    manual_seed(seed)


def seed():
    default_generators[0].seed()


def seed_all():
    seed()


def initial_seed():
    return default_generators[0].initial_seed()


def get_rng_state(device="cuda"):
    """The state as 16 bytes: the seed, and how far it was used."""
    return _generator(device).get_state()


def get_rng_state_all():
    return [get_rng_state()]


def set_rng_state(new_state, device="cuda"):
    _generator(device).set_state(new_state)


def set_rng_state_all(new_states):
    for state in new_states:
        set_rng_state(state)


# ---- The order of work ----------------------------------------------------------------------------

_POOL = 32  # streams of a priority; then they are handed out again
_pools = {}


def _pooled(priority):
    pool, used = _pools.get(priority, ([], 0))
    if len(pool) < _POOL:
        pool.append(_glint_cuda.make_stream(priority))
    _pools[priority] = pool, used + 1
    return pool[used % _POOL]


class Stream:
    """An order of work beside others: `with torch.cuda.stream(s):` puts work into it."""

    def __init__(self, device=None, priority=0):
        self.device = torch.device("cuda", _need(device))
        self.device_index = self.device.index
        self.priority = min(max(priority, -5), 0)
        self.stream_id = self.cuda_stream = self._number()
        self._before = []  # the streams that `with self:` goes back to

    def _number(self):
        return _pooled(self.priority)

    def synchronize(self):
        _glint_cuda.wait_for_stream(self.cuda_stream)

    def query(self):
        return _glint_cuda.stream_done(self.cuda_stream)

    def wait_stream(self, stream):
        self.wait_event(stream.record_event())

    def wait_event(self, event):
        event.wait(self)

    def record_event(self, event=None):
        event = event if event is not None else Event()
        event.record(self)
        return event

    def __eq__(self, other):
        return isinstance(other, Stream) and self.cuda_stream == other.cuda_stream

    def __hash__(self):
        return hash((self.cuda_stream, self.device_index))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"

    def __enter__(self):
        self._before.append(_chosen[:])
        _choose([self])
        return self

    def __exit__(self, *error):
        _choose(self._before.pop())
        return False


class _DefaultStream(Stream):
    def _number(self):
        return 0


_chosen = []  # the current stream; empty: the default one


def _choose(chosen):
    _glint_cuda.use_stream(chosen[0].cuda_stream if chosen else 0)
    _chosen[:] = chosen


def default_stream(device=None):
    _need(device)
    return _DefaultStream()


def current_stream(device=None):
    _need(device)
    return _chosen[0] if _chosen else _DefaultStream()


def set_stream(stream):
    if stream is not None:
        stream.stream_id  # what is no stream has none
        _choose([stream])


class StreamContext:
    """`with torch.cuda.stream(s):`; of None nothing changes."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self.stream.device  # what is no stream has none
            self.before = _chosen[:]
            _choose([self.stream])

    def __exit__(self, *error):
        if self.stream is not None:
            _choose(self.before)
        return False


def is_current_stream_capturing():
    return False


def stream(stream):
    return StreamContext(stream)


class Event:
    """A point in a stream: the GPU's own, or the processor's clock for the simulated one. It is made
    when it is recorded, so a script may have some before it knows whether there is a GPU."""

    _place = None  # also of what could not be made

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self._timed = enable_timing

    def __repr__(self):
        return f"<torch.cuda.Event {'uninitialized' if self._place is None else hex(self._place)}>"

    def _forget(self):
        if self._place is not None:
            _glint_cuda.drop_event(self._place)
        self._place = None

    def __del__(self):
        self._forget()

    def record(self, stream=None):
        self._forget()
        stream = stream if stream is not None else current_stream()
        self._place = _glint_cuda.record_event(stream.cuda_stream)

    def query(self):
        return self._place is None or _glint_cuda.event_passed(self._place)

    def wait(self, stream=None):
        stream = stream if stream is not None else current_stream()
        if self._place is not None:
            _glint_cuda.have_stream_wait(stream.cuda_stream, self._place)

    def synchronize(self):
        if self._place is not None:
            _glint_cuda.wait_event(self._place)

    def elapsed_time(self, end_event):
        """Milliseconds from here to another event."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._place is None or end_event._place is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and end_event.query()):
            raise ValueError("Both events must be completed before calculating elapsed time.")
        return _glint_cuda.event_time(self._place, end_event._place)


# PyTorch keeps these names in modules of their own too.
random = streams = sys.modules[__name__]


from torch.cuda import amp  # its classes want the names above


def _typed_tensor(name):
    """`FloatTensor` and its like: their file is read when one of them is asked for."""
    if not name.endswith("Tensor"):
        return None
    from torch._typed_tensors import of_gpu
    return of_gpu(name)


_native.set_late_names(sys.modules["torch.cuda"], _typed_tensor)

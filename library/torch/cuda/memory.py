"""`torch.cuda.memory`: what tensors take of the GPU's memory, and what is kept for the next ones.

    torch.cuda.memory_allocated()    # bytes of the tensors that are there
    torch.cuda.memory_reserved()     # and of the pieces of memory that they lie in

`torch.cuda` has these names too.
"""
import warnings
from collections import OrderedDict

import _glint_cuda
import torch
from torch.cuda._indices import _index_of, _need

__all__ = [
    "memory_stats", "memory_stats_as_nested_dict", "memory_allocated", "max_memory_allocated",
    "memory_reserved", "max_memory_reserved", "memory_cached", "max_memory_cached",
    "reset_peak_memory_stats", "reset_accumulated_memory_stats", "reset_max_memory_allocated",
    "reset_max_memory_cached", "mem_get_info", "empty_cache", "get_allocator_backend",
    "set_per_process_memory_fraction", "get_per_process_memory_fraction", "memory_summary"
]

_POOLS = ("all", "large_pool", "small_pool")
_PARTS = ("current", "peak", "allocated", "freed")
_COUNTERS = ("num_device_alloc", "num_device_free", "num_sync_all_streams", "num_alloc_retries",
             "num_ooms")


def _need_memory(device):
    index = _index_of(device)
    if index < 0 or index >= max(torch.cuda.device_count(), 1):
        raise RuntimeError(f"Invalid device argument {index}: did you call init?")


def memory_stats(device=None):
    """How much is in use and kept, how many blocks and pieces of the device's memory that is."""
    if not torch.cuda.is_initialized():
        return OrderedDict()
    _need_memory(device)
    metrics, *counters = _glint_cuda.memory()
    stats = dict(zip(_COUNTERS, counters))
    for metric, *amounts in metrics:
        for pool, amount in zip(_POOLS, amounts):
            for part, value in zip(_PARTS, amount):
                stats[f"{metric}.{pool}.{part}"] = value
    # There is no size from which on blocks are not split, and nothing is refused unasked.
    stats["max_split_size"] = -1
    stats["num_oom_rejections"] = 0
    for metric in ("oversize_allocations", "oversize_segments"):
        for part in _PARTS:
            stats[f"{metric}.{part}"] = 0
    return OrderedDict(sorted(stats.items()))


def memory_stats_as_nested_dict(device=None):
    """The same, a dict for each part of a name, and one of the pools of one's own: there are none."""
    nested = {"reserved_bytes_by_private_pools": {}} if torch.cuda.is_initialized() else {}
    for name, value in memory_stats(device).items():
        *path, last = name.split(".")
        at = nested
        for part in path:
            at = at.setdefault(part, {})
        at[last] = value
    return nested


def memory_allocated(device=None):
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device=None):
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device=None):
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device=None):
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def _renamed(old, new):
    def renamed(device=None):
        warnings.warn(f"`torch.cuda.{old}` has been renamed to `torch.cuda.{new.__name__}`",
                      FutureWarning, stacklevel=2)
        return new(device)
    renamed.__name__ = renamed.__qualname__ = old
    return renamed


memory_cached = _renamed("memory_cached", memory_reserved)
max_memory_cached = _renamed("max_memory_cached", max_memory_reserved)


def _reset(name, reset, device):
    if not torch.cuda.is_initialized():
        raise RuntimeError(f"invalid argument to {name}")
    _need_memory(device)
    reset()


def reset_peak_memory_stats(device=None):
    _reset("reset_peak_memory_stats", _glint_cuda.reset_peaks, device)


def reset_accumulated_memory_stats(device=None):
    """Starts anew what was ever allocated and freed, and how often in vain."""
    _reset("reset_accumulated_memory_stats", _glint_cuda.reset_accumulated, device)


def _resets_all(name):
    def resets_all(device=None):
        warnings.warn(f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which "
                      "resets /all/ peak memory stats.", FutureWarning, stacklevel=2)
        return reset_peak_memory_stats(device)
    resets_all.__name__ = resets_all.__qualname__ = name
    return resets_all


reset_max_memory_allocated = _resets_all("reset_max_memory_allocated")
reset_max_memory_cached = _resets_all("reset_max_memory_cached")


def mem_get_info(device=None):
    _need(device)
    return _glint_cuda.free_bytes(), _glint_cuda.properties()[3]


def empty_cache():
    _glint_cuda.empty_cache()


def get_allocator_backend():
    return "native"


_fraction = 1.0


def set_per_process_memory_fraction(fraction, device=None):
    """The part of the device's memory that tensors may take."""
    global _fraction
    _need(device)
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _glint_cuda.limit_memory(int(_glint_cuda.properties()[3] * fraction))
    _fraction = fraction


def get_per_process_memory_fraction(device=None):
    _need(device)
    return _fraction


_SUMMARY = (
    ("allocated_bytes", "Allocated memory"), ("active_bytes", "Active memory"),
    ("requested_bytes", "Requested memory"), ("reserved_bytes", "GPU reserved memory"),
    ("inactive_split_bytes", "Non-releasable memory"), ("allocation", "Allocations"),
    ("active", "Active allocs"), ("segment", "GPU reserved segments"),
    ("inactive_split", "Non-releasable allocs"),
)
_OVERSIZE = (("oversize_allocations", "Oversize allocations"),
             ("oversize_segments", "Oversize GPU segments"))


def _amount_text(amount, scale, in_bytes):
    """An amount in the unit that another, the scale, is written in."""
    step, most, units = ((1024, 768 * 1024, ("B  ", "KiB", "MiB", "GiB", "TiB", "PiB"))
                         if in_bytes else (1000, 750 * 1000, (" ", "K", "M")))
    unit = 0
    while unit + 1 < len(units) and scale >= most:
        unit, amount, scale = unit + 1, amount // step, scale / step
    return f"{amount:6d} {units[unit]}" if in_bytes else f"{amount:7d} {units[unit]} "


def _summary_row(stats, title, prefix, scales):
    in_bytes = "_bytes." in prefix
    cells = [_amount_text(stats[prefix + part], stats[scales + part], in_bytes) for part in _PARTS]
    return f"| {title:<21} | " + " | ".join(cells) + " |"


def memory_summary(device=None, abbreviated=False):
    """The statistics as PyTorch's table."""
    stats = memory_stats(device)
    oom = f"CUDA OOMs: {stats.get('num_ooms', 0):<12d}"
    retries = f"cudaMalloc retries: {stats.get('num_alloc_retries', 0):<8d}"
    double, single = "|" + "=" * 75 + "|", "|" + "-" * 75 + "|"
    lines = [double, f"|{'':18}PyTorch CUDA memory summary, device ID {_index_of(device):<17d} |",
             single, f"|{'':12}{oom} | {'':6} {retries}  |", double,
             "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |"]
    for metric, title in _SUMMARY:
        rows = zip(_POOLS, (title, "      from large pool", "      from small pool"))
        lines.append(single)
        lines += [_summary_row(stats, name, f"{metric}.{pool}.", f"{metric}.all.")
                  for pool, name in rows if pool == "all" or not abbreviated]
    for metric, title in _OVERSIZE:
        lines += [single, _summary_row(stats, title, metric + ".", metric + ".")]
    return "\n".join([*lines, double, ""])

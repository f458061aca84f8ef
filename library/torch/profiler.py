"""`torch.profiler`: what happens when in a stretch of a script.

    with torch.profiler.profile() as p:
        f(x)
    p.export_chrome_trace("out.json")      for the trace viewers of Perfetto and Chrome
    print(p.key_averages().table())
"""
import _glint_profile


class ProfilerActivity:
    """What is recorded. What a GPU does is recorded with the event that asks for it."""

    CPU = "cpu"
    CUDA = "cuda"
    XPU = "xpu"


class ProfilerAction:
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0):
    """Which steps are recorded: after `skip_first`, of each `wait + warmup + active` the last."""

    def action(step):
        if step < skip_first:
            return ProfilerAction.NONE
        cycle = wait + warmup + active
        number, place = divmod(step - skip_first, cycle)
        if (repeat > 0 and number >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if place == cycle - 1 else ProfilerAction.RECORD

    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """Writes each trace into a folder, as `on_trace_ready` of a profile."""
    import os

    def write(profiler):
        os.makedirs(dir_name, exist_ok=True)
        name = f"{worker_name or 'glint'}.{profiler.step_num}.pt.trace.json"
        profiler.export_chrome_trace(os.path.join(dir_name, name))

    return write


class record_function:
    """An event of the script's own, as long as the block."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        _glint_profile.enter(self.name)
        return self

    def __exit__(self, *exception):
        _glint_profile.leave()


class FunctionEventAvg:
    """All events of one name together; times are in microseconds. What a device did counts for the
    innermost event that asked for it, and is part of those around that."""

    def __init__(self, key):
        self.key = key
        self.count = 0
        self.cpu_time_total = 0.0
        self.self_cpu_time_total = 0.0
        self.device_time_total = 0.0
        self.self_device_time_total = 0.0

    @property
    def cpu_time(self):
        return self.cpu_time_total / self.count

    @property
    def device_time(self):
        return self.device_time_total / self.count

    # As older releases call them.
    cuda_time = device_time
    cuda_time_total = property(lambda self: self.device_time_total)
    self_cuda_time_total = property(lambda self: self.self_device_time_total)

    def __repr__(self):
        return f"<FunctionEventAvg key={self.key} cpu_time={self.cpu_time:.3f}us count={self.count}>"


_SORTS = (
    "self_cpu_time_total", "cpu_time_total", "cpu_time", "count", "self_device_time_total",
    "device_time_total", "device_time", "self_cuda_time_total", "cuda_time_total", "cuda_time",
)


def _columns(events, has_device):
    """Each with its head and the text of a row."""
    whole = sum(row.self_cpu_time_total for row in events) or 1.0
    on_device = sum(row.self_device_time_total for row in events) or 1.0
    columns = [
        ("Name", lambda row: row.key),
        ("Self CPU %", lambda row: f"{row.self_cpu_time_total / whole:.2%}"),
        ("Self CPU", lambda row: f"{row.self_cpu_time_total:.3f}us"),
        ("CPU total", lambda row: f"{row.cpu_time_total:.3f}us"),
        ("CPU time avg", lambda row: f"{row.cpu_time:.3f}us"),
    ]
    if has_device:
        columns += [
            ("Self CUDA", lambda row: f"{row.self_device_time_total:.3f}us"),
            ("Self CUDA %", lambda row: f"{row.self_device_time_total / on_device:.2%}"),
            ("CUDA total", lambda row: f"{row.device_time_total:.3f}us"),
            ("CUDA time avg", lambda row: f"{row.device_time:.3f}us"),
        ]
    return columns + [("# of Calls", lambda row: str(row.count))]


class EventList(list):
    """Averages, one a name."""

    def table(self, sort_by=None, row_limit=100, **ignored):
        if sort_by is not None and sort_by not in _SORTS:
            raise AttributeError(f"'FunctionEventAvg' object has no attribute '{sort_by}'")
        rows = sorted(self, key=lambda row: getattr(row, sort_by), reverse=True) if sort_by else self
        has_device = any(row.device_time_total > 0 for row in self)
        columns = _columns(self, has_device)
        cells = [[head for head, _ in columns]]
        cells += [[text(row) for _, text in columns] for row in list(rows)[:row_limit]]
        totals = [f"Self CPU time total: {sum(row.self_cpu_time_total for row in self):.3f}us"]
        if has_device:
            totals.append(f"Self CUDA time total: {sum(row.self_device_time_total for row in self):.3f}us")
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        rule = "  ".join("-" * width for width in widths)
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) for row in cells]
        return "\n".join([rule, lines[0], rule] + lines[1:] + [rule] + totals)


def _averages(rows, counts_device):
    """From (category, name, start, seconds, seconds of the device), in the order in which they ended."""
    found = {}
    inside = []  # events that have ended and whose parent has not: (start, seconds, those of the device)
    for _, name, start, seconds, on_device in rows:
        children = within = 0.0
        is_innermost = not (inside and inside[-1][0] >= start)
        while inside and inside[-1][0] >= start:
            _, child, child_on_device = inside.pop()
            children += child
            within += child_on_device
        # Between its children the device may have waited.
        worked = (on_device if is_innermost else within) if counts_device else 0.0
        inside.append((start, seconds, worked))
        average = found.setdefault(name, FunctionEventAvg(name))
        average.count += 1
        average.cpu_time_total += seconds * 1e6
        average.self_cpu_time_total += (seconds - children) * 1e6
        average.device_time_total += worked * 1e6
        average.self_device_time_total += worked * 1e6 if is_innermost else 0.0
    return EventList(found.values())


class profile:
    """Records what happens between its beginning and its end, or in the steps of a schedule."""

    def __init__(
        self,
        *,
        activities=None,
        schedule=None,
        on_trace_ready=None,
        record_shapes=False,
        profile_memory=False,
        with_stack=False,
        with_flops=False,
        with_modules=False,
        experimental_config=None,
        acc_events=False,
        use_cuda=None,
    ):
        self.activities = activities or supported_activities()
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self._schedule = schedule
        self._handle = None
        self._in_step = False
        self._trace = None
        self._rows = []

    def start(self):
        self._begin_step()

    def stop(self):
        was_recording = self._handle is not None
        self._end_step()
        self._end_recording()
        if was_recording and self.on_trace_ready:
            self.on_trace_ready(self)

    def step(self):
        """The next step of the schedule begins."""
        action = self._action()
        self._end_step()
        self.step_num += 1
        if action == ProfilerAction.RECORD_AND_SAVE:
            self._end_recording()
            if self.on_trace_ready:
                self.on_trace_ready(self)
        self._begin_step()

    def _action(self):
        return self._schedule(self.step_num) if self._schedule else ProfilerAction.RECORD

    def _begin_step(self):
        if self._action() not in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            return
        if self._handle is None:
            self._handle = _glint_profile.start()
        if self._schedule or self.step_num > 0:
            _glint_profile.enter(f"ProfilerStep#{self.step_num}")
            self._in_step = True

    def _end_step(self):
        if self._in_step:
            _glint_profile.leave()
        self._in_step = False

    def _end_recording(self):
        if self._handle is not None:
            self._trace, self._rows = _glint_profile.stop(self._handle)
        self._handle = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exception):
        self.stop()

    def export_chrome_trace(self, path):
        if self._trace is None:
            raise RuntimeError("the profiler has recorded nothing yet: it ends with its block, or by stop()")
        with open(path, "w") as file:
            file.write(self._trace)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
        return _averages(self._rows, ProfilerActivity.CUDA in self.activities)

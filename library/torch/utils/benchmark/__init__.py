"""`torch.utils.benchmark`: how long statements take, and tables of that.

    eager = Timer("f(x)", globals=globals(), label="sine", description="eager").blocked_autorange()
    compiled = Timer("g(x)", globals=globals(), label="sine", description="compiled").blocked_autorange()
    Compare([eager, compiled]).print()

`glint bench` compares eager with compiled code by itself, and shows what each call consists of.
"""
from torch.utils.benchmark.comparison import Compare
from torch.utils.benchmark.measurement import Measurement, TaskSpec
from torch.utils.benchmark.timer import Timer, timer

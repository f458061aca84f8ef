# glint.bench on a GPU: its events are the clock, and what it moves stands beside a copy's bandwidth. The
# simulated one is no clock. The output is recorded.
import glint
import torch

found = glint.bench(lambda x: torch.relu(x * 2 + 1), torch.randn(2000, device="cuda"))
table = found.table()
print(found.bytes, found.launches, found.machine)
is_clock = found.device == "cuda"
print(is_clock == (found.copy_bandwidth is not None), is_clock == ("of what the GPU moves in a copy" in table))
print(is_clock != ("times are the processor's" in table), "16000 bytes at least" in table)
print(found.bandwidth == found.bytes / found.compiled.median)

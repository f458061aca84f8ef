# torch.profiler beside a device: the columns of its time, whose they are, what is sorted by them.
import torch
from torch.profiler import ProfilerActivity, profile, record_function

x = torch.ones(64, 64, device="cuda")
f = torch.compile(lambda a: torch.relu(a * 2).sum())
f(x), x @ x
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
    with record_function("step"):
        f(x), x @ x, x.t()
    torch.ones(3)
rows = {row.key: row for row in p.key_averages()}
print(rows["step"].device_time_total >= rows["mm"].cuda_time_total > 0, rows["step"].self_device_time_total)
print(rows["mm"].self_cuda_time_total == rows["mm"].device_time_total, rows["ones"].device_time_total, rows["t"].cuda_time)
table = p.key_averages().table(sort_by="cuda_time_total", row_limit=2).split("\n")
print(table[1].split(), table[3].split()[0], table[-2].split(":")[0], table[-1].split(":")[0])
for key in ("self_cuda_time_total", "device_time_total", "self_device_time_total", "cuda_time"):
    print(key, len(p.key_averages().table(sort_by=key, row_limit=1).split("\n")))

# Where only the processor is asked about, and where nothing ran on a device.
with profile(activities=[ProfilerActivity.CPU]) as p:
    x @ x
print("CUDA" in p.key_averages().table(sort_by="cuda_time_total"))
with profile() as p:
    torch.ones(3).exp()
print("CUDA" in p.key_averages().table())

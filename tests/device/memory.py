# The device's memory: statistics, a limit, what happens where there is no more. The output is
# recorded.
import torch

mib = 1 << 20
total = torch.cuda.get_device_properties(0).total_memory
print(torch.cuda.OutOfMemoryError is torch.OutOfMemoryError, torch.OutOfMemoryError.__mro__[:2])

torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
x = torch.zeros(mib, device="cuda")
print((torch.cuda.memory_allocated() - before) // mib, torch.cuda.memory_reserved() // mib)
del x
print(torch.cuda.memory_allocated() - before, torch.cuda.memory_reserved() // mib)
print((torch.cuda.max_memory_allocated() - before) // mib)
torch.cuda.reset_peak_memory_stats()
print(torch.cuda.max_memory_allocated() - before)
torch.cuda.empty_cache()
print(torch.cuda.memory_reserved() // mib)
free, all_of_it = torch.cuda.mem_get_info()
print(all_of_it == total, total - free == torch.cuda.memory_reserved())


def attempt(run):
    try:
        run()
        print("no error")
    except Exception as error:
        print(type(error).__name__, "|", error)


# 14 MiB are allowed: kept blocks are given back first, then it is an error, and the session goes on.
torch.cuda.set_per_process_memory_fraction(14 * mib / total)
print(torch.cuda.get_per_process_memory_fraction() == 14 * mib / total)
keep = torch.ones(mib, device="cuda")
del keep
retries = torch.cuda.memory_stats()["num_alloc_retries"]
ten = torch.ones(3 * mib, device="cuda")
print(torch.cuda.memory_stats()["num_alloc_retries"] - retries, torch.cuda.memory_reserved() // mib)
attempt(lambda: ten + 1)
attempt(lambda: torch.zeros(8 * mib, device="cuda"))
print(torch.cuda.memory_stats()["num_ooms"], ten[:3] * 2)


@torch.compile
def twice(x):
    return torch.relu(x) * 2 + x.flip(0)


attempt(lambda: twice(ten))
print(twice(ten[:4]))
try:
    ten.clone()
except torch.cuda.OutOfMemoryError as error:
    print("caught", isinstance(error, RuntimeError), str(error).split(".")[0])
del ten
torch.cuda.set_per_process_memory_fraction(1.0)
print(torch.zeros(8 * mib, device="cuda").sum().item())
attempt(lambda: torch.cuda.set_per_process_memory_fraction(2.0))
attempt(lambda: torch.cuda.set_per_process_memory_fraction(1))
attempt(lambda: torch.empty(1 << 40, device="cuda"))
summary = torch.cuda.memory_summary()
print(len(summary.splitlines()), summary.splitlines()[0])

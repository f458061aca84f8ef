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


# What is asked for is rounded to 512 bytes; small tensors share segments of 2 MiB, large ones of
# 20 MiB, very large ones have their own. Temporaries of growing sizes use the same memory.
def growth(run):
    before = torch.cuda.memory_stats()
    kept = run()
    after = torch.cuda.memory_stats()
    found = {name: after[name] - before[name] for name in after}
    print({name: value for name, value in found.items()
           if value and name.endswith(("current", "freed")) or name.startswith("num") and value})


growth(lambda: torch.empty(300000, device="cuda"))
growth(lambda: [torch.empty(n, device="cuda") for n in (0, 1, 129, 200000)])
growth(lambda: [torch.empty(n * mib, device="cuda") for n in (1, 2, 3)])
growth(lambda: [torch.empty(n * 130, device="cuda") for n in range(1, 200)][:0])
torch.cuda.empty_cache()


def temporaries():
    for n in range(1, 2000):
        torch.empty(n * 130, device="cuda")


growth(temporaries)
torch.cuda.empty_cache()
print({name.split(".")[0] for name in torch.cuda.memory_stats()} ==
      {"active", "active_bytes", "allocated_bytes", "allocation", "inactive_split",
       "inactive_split_bytes", "requested_bytes", "reserved_bytes", "segment", "max_split_size",
       "num_alloc_retries", "num_device_alloc", "num_device_free", "num_oom_rejections", "num_ooms",
       "num_sync_all_streams", "oversize_allocations", "oversize_segments"})

# 40 MiB are allowed: kept blocks are given back first, then it is an error, and the session goes on.
torch.cuda.set_per_process_memory_fraction(40 * mib / total)
print(torch.cuda.get_per_process_memory_fraction() == 40 * mib / total)
keep = torch.ones(mib, device="cuda")
del keep
retries = torch.cuda.memory_stats()["num_alloc_retries"]
ten = torch.ones(8 * mib, device="cuda")
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
print({len(line) for line in summary.splitlines()}, summary.splitlines()[1:3])
print([line[2:23].strip() for line in summary.splitlines() if "from" not in line][5::2])
print(len(torch.cuda.memory_summary(abbreviated=True).splitlines()))

# What ever was taken and given back, and how often in vain, starts anew; what is in use stays.
used = torch.cuda.memory_allocated()
torch.cuda.reset_accumulated_memory_stats()
stats = torch.cuda.memory_stats()
print(type(stats).__name__, list(stats)[:2], stats["num_ooms"], stats["num_alloc_retries"],
      stats["allocated_bytes.all.allocated"], stats["allocated_bytes.all.freed"],
      stats["allocated_bytes.all.current"] == used)
print(torch.cuda.memory_stats_as_nested_dict()["reserved_bytes_by_private_pools"])
attempt(lambda: torch.cuda.memory_allocated(1))

# What a call that ran out of memory had in hand is free again.
held = [torch.empty(4 * mib, device="cuda")]
before = torch.cuda.memory_allocated()
try:
    held.append(torch.empty(1 << 40, device="cuda"))
except torch.cuda.OutOfMemoryError:
    pass
del held
print(before - torch.cuda.memory_allocated() >= 4 * mib)


# A call that is captured, writes a view of what has a history, and is never differentiated keeps
# nothing alive but what it gave.
@torch.compile
def double_in_place(whole):
    return whole[:4].mul_(2)


for _ in range(3):
    before = torch.cuda.memory_allocated()
    leaf = torch.arange(4.0, device="cuda", requires_grad=True)
    whole = leaf * 2
    print(double_in_place(whole).tolist(), torch.cuda.memory_allocated() - before)
    del leaf, whole
    print(torch.cuda.memory_allocated() - before)

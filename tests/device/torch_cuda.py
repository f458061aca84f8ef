# torch.cuda as scripts use it: devices, streams, events, flags, errors. The output is recorded.
import torch

print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.current_device())
print(torch.cuda.get_device_name(0), torch.cuda.get_device_capability("cuda:0"))
properties = torch.cuda.get_device_properties(torch.device("cuda"))
print(properties, properties.total_memory, torch.cuda.is_bf16_supported())
print(torch.cuda.get_arch_list(), torch.cuda.is_tf32_supported())
print(properties.max_threads_per_multi_processor, properties.max_threads_per_block)


def attempt(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, "|", error)


attempt(lambda: torch.cuda.set_device(0))
attempt(lambda: torch.cuda.set_device(3))
attempt(lambda: torch.cuda.set_device("cpu"))
attempt(lambda: torch.cuda.set_device("cuda"))
attempt(lambda: torch.cuda.get_device_properties(1))
attempt(lambda: torch.cuda.get_device_name("cuda:2"))
attempt(lambda: torch.cuda.synchronize(5))
attempt(lambda: torch.zeros(2, device="cuda:1"))
attempt(lambda: torch.ones(2).cuda(1))
attempt(lambda: torch.ones(2).to("cuda:7"))
with torch.cuda.device(0):
    print(torch.zeros(2, device="cuda"))
with torch.cuda.device(-1), torch.cuda.device_of(torch.ones(2)):
    print(torch.cuda.current_device())

# Streams.
s = torch.cuda.Stream()
print(torch.cuda.current_stream() == torch.cuda.default_stream(), torch.cuda.current_stream())
with torch.cuda.stream(s):
    print(torch.cuda.current_stream() == s, s == torch.cuda.Stream(), s.device)
    y = torch.ones(3, device="cuda") * 2
print(torch.cuda.current_stream() == s)
torch.cuda.current_stream().wait_stream(s)
s.synchronize()
print(s.query())
with torch.cuda.stream(None):
    print(y)

# Events.
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
attempt(lambda: start.elapsed_time(end))
start.record()
y = y + 1
end.record(torch.cuda.current_stream())
end.synchronize()
s.wait_event(end)
print(0 < start.elapsed_time(end) < 60_000, end.query())
plain = s.record_event()
attempt(lambda: plain.elapsed_time(end))

# Pinned memory and copies that need not be waited for.
x = torch.arange(4.0).pin_memory()
print(x.to("cuda", non_blocking=True), x.cuda(non_blocking=True).sum().item(), x.is_pinned())
print(torch.ones(2).is_pinned(), x.pin_memory() is x, x[1:].is_pinned(), (x + 1).is_pinned())
attempt(lambda: y.pin_memory())
print(torch.ones(2, device="cuda").to("cpu", non_blocking=True))
print(torch.zeros(2, pin_memory=True), torch.arange(3, pin_memory=False).cuda())
attempt(lambda: torch.abs(x, pin_memory=True))
y.copy_(torch.arange(3.0), non_blocking=True)
print(y)

# Flags are kept; numbers do not depend on them.
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.benchmark = True
with torch.backends.cudnn.flags(enabled=False, benchmark=False):
    print(torch.backends.cudnn.enabled, torch.backends.cudnn.benchmark)
print(torch.backends.cudnn.enabled, torch.backends.cudnn.benchmark,
      torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.is_available())
torch.backends.cuda.enable_flash_sdp(False)
print(torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled())

# Marks for tools, and modes.
with torch.cuda.nvtx.range("step {}", 1):
    torch.cuda.nvtx.range_push("forward")
    torch.cuda.nvtx.mark("here")
    print(torch.cuda.nvtx.range_pop())
torch.cuda.nvtx.range_end(torch.cuda.nvtx.range_start("behind"))
torch.cuda.set_sync_debug_mode("default")
print(torch.cuda.get_sync_debug_mode(), torch.cuda.is_current_stream_capturing())
attempt(lambda: torch.cuda.set_sync_debug_mode("no"))
attempt(lambda: torch.cuda.set_sync_debug_mode(1))
print(torch.conv1d(torch.ones(1, 1, 3, device="cuda"), torch.ones(1, 1, 2, device="cuda")))

# Tensors of two devices.
a, b = torch.ones(2, 2), torch.ones(2, 2, device="cuda")
attempt(lambda: a + b)
attempt(lambda: b @ a)
attempt(lambda: torch.mm(a, b))
attempt(lambda: torch.cat([b, a]))
attempt(lambda: torch.addmm(b, a, b))
attempt(lambda: torch.nn.functional.linear(a, b, torch.ones(2, device="cuda")))
attempt(lambda: torch.nn.functional.embedding(torch.tensor([0]), b))
attempt(lambda: b.index_select(0, torch.tensor([0])))
attempt(lambda: torch.where(a > 0, b, b))
attempt(lambda: a.add_(b))
print(b.add_(torch.tensor(1.0)))

# Names that scripts use besides.
stats = torch.cuda.memory_stats_as_nested_dict()
print(stats["allocated_bytes"]["all"]["current"] == torch.cuda.memory.memory_allocated(), sorted(stats)[:2])
print(torch.cuda.ipc_collect(), torch.cuda.get_gencode_flags(), torch.cuda.random.initial_seed() == torch.cuda.initial_seed())
with torch.cuda.profiler.profile():
    print(torch.cuda.profiler.start(), torch.cuda.cudart().cudaProfilerStop(), torch.cuda.streams.Stream is torch.cuda.Stream)

# What it was built with.
print(torch.backends.cuda.is_built(), torch.version.cuda.count("."), torch.version.hip)

# No driver and no compiler: the processor does all, and `cuda` says what is missing.
# LD_LIBRARY_PATH=/nowhere GLINT_NVRTC=/nowhere
import torch

print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.memory_allocated())
for use in (
    lambda: torch.ones(2, device="cuda"),
    lambda: torch.ones(2, device="cuda:7"),
    lambda: torch.ones(2).cuda(),
    lambda: torch.nn.Linear(2, 2).to("cuda"),
    lambda: torch.cuda.Stream(),
    torch.cuda.synchronize,
    lambda: torch.cuda.Event(),
    lambda: torch.cuda.Event().record(),
):
    try:
        print(use())
    except RuntimeError as error:
        print(error)
print(torch.zeros(2, pin_memory=True).is_pinned())
print(torch.compile(lambda x: x * 2)(torch.arange(3.0)))

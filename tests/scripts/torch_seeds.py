# Seeds of 64 bits, with a sign or without one, and what is none.
import torch

for seed in (0, 7, -1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)):
    torch.manual_seed(seed)
    generator = torch.Generator()
    generator.manual_seed(seed)
    print(seed, torch.initial_seed(), generator.initial_seed(), torch.rand(2), torch.rand(2, generator=generator))
for seed in (2**64, 2**70, -(2**70)):
    try:
        torch.manual_seed(seed)
    except (ValueError, RuntimeError) as error:
        print(seed, type(error).__name__, error)

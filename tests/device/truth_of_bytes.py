# any and all of uint8 are uint8, eagerly and compiled: the same everywhere.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
generator = torch.Generator().manual_seed(0)
for shape in ((2, 3), (5, 700), (1200, 3)):
    for dtype in (torch.uint8, torch.int8, torch.float32):
        x = (torch.rand(shape, generator=generator) * 1.3).to(device).to(dtype)
        for run in (lambda x: x.any(), lambda x: x.all(1), lambda x: torch.any(x, 0, keepdim=True),
                    lambda x: (x * 3).any(1), lambda x: torch.all(x, 0) + 250,
                    lambda x: (x + 1).all(), lambda x: x[:0].any(0)):
            found, compiled = run(x), torch.compile(run)(x)
            print(found.dtype, found.sum().item(), compiled.dtype == found.dtype,
                  torch.equal(found, compiled))

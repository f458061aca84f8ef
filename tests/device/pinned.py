# Pinned memory, asked for when a tensor is made; names of types, which say where a tensor is. The
# output is recorded.
import torch


def attempt(run):
    try:
        print(run())
    except (RuntimeError, ValueError, TypeError, AssertionError) as error:
        print(type(error).__name__, "|", error)


y = torch.arange(3.0, device="cuda")
for make in (lambda **more: torch.empty(2, **more), lambda **more: torch.tensor([1, 2], **more),
             lambda **more: torch.full((2, 2), 3.0, **more), lambda **more: torch.arange(3, **more),
             lambda **more: torch.zeros_like(torch.ones(2), **more),
             lambda **more: torch.ones(2).new_zeros(3, **more)):
    made = make(pin_memory=True)
    print(made.is_pinned(), made.is_pinned("cuda"), made.device, made.dtype, tuple(made.shape),
          make(pin_memory=False).is_pinned(), make().is_pinned())
    attempt(lambda: make(pin_memory=True, device="cuda"))
print(torch.full((2,), 3.0, pin_memory=True, requires_grad=True))
torch.manual_seed(3)
wanted = torch.rand(2), torch.rand(2)
torch.manual_seed(3)
print(torch.equal(torch.rand(2, pin_memory=True), wanted[0]), torch.equal(torch.rand(2), wanted[1]))


@torch.compile
def made(x):
    y = torch.rand(2, pin_memory=True)
    return x * 2 + y, y.is_pinned()


torch.manual_seed(3)
found, is_pinned = made(torch.zeros(2))
print(torch.equal(found, wanted[0]), is_pinned, torch.equal(torch.rand(2), wanted[1]))
attempt(lambda: y.pin_memory())
attempt(lambda: y.long().pin_memory())
attempt(lambda: torch.ones(2, pin_memory=1))

# Types by name.
print(y.type(), y.cpu().type(), y.half().type(), y.bool().cpu().type())
for name in ("torch.FloatTensor", "torch.cuda.FloatTensor", "torch.cuda.LongTensor",
             "torch.BoolTensor", "FloatTensor", "float32"):
    attempt(lambda: y.type(name))
    attempt(lambda: y.cpu().type(name))
print(y.type(torch.int32), y.type("torch.cuda.FloatTensor") is y)

# A DataLoader's batches, whatever they are made of.
from torch.utils.data import DataLoader

samples = [(torch.ones(2) * i, i, {"name": "a", "parts": [torch.zeros(1), 0.5]}) for i in range(4)]
for pins in (True, False):
    for x, i, rest in DataLoader(samples, batch_size=2, pin_memory=pins):
        print(x.is_pinned(), i.is_pinned(), rest["name"], [part.is_pinned() for part in rest["parts"]])
x = next(iter(DataLoader(samples, batch_size=4, pin_memory=True)))[0].to("cuda", dtype=torch.float64, non_blocking=True)
print(x)

# Results on two devices are compared only where that is asked for.
near = torch.ones(2)
attempt(lambda: torch.testing.assert_close(near, near.cuda()))
attempt(lambda: torch.testing.assert_close([near.cuda()], [near]))
attempt(lambda: torch.testing.assert_close(near, near.cuda(), check_device=False))
attempt(lambda: torch.testing.assert_close({"x": near.cuda()}, {"x": near + 1}, check_device=False))

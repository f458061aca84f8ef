# A region that is the first to name the device, and makes all that it has there.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile
def made():
    return torch.arange(5, device=device) * 2


print(made().cpu(), [made().device.type == device for _ in range(2)])
near = torch.tensor(2.0)
for backend in ("eager", "aot_eager", "inductor", lambda graph, inputs: graph.forward):
    torch._dynamo.reset()
    scaled = torch.compile(lambda x: torch.ones(3, device=device) * x + torch.full((3,), 1.5, device=device), backend=backend)
    none = torch.compile(lambda: torch.ones(2, device=device).cumsum(0), backend=backend)
    for result in (scaled(near), scaled(near), none(), none()):
        print(result.cpu(), result.device.type == device)

# A dimension without elements has no place for an index, which its size tells.
nothing, places = torch.zeros(0, 3, device=device), torch.tensor([0, 1], device=device)
one = torch.tensor(1.0, device=device)
for read in (lambda x, i: x[i], lambda x, i: x[i, i], torch.compile(lambda x, i: x[i] + 1),
             lambda x, i: x.index_put((i,), one), lambda x, i: x.index_put_((i,), one),
             torch.compile(lambda x, i: x.index_put((i,), one) + 1)):
    try:
        print(read(nothing, places))
    except IndexError as error:
        print(type(error).__name__, error)
print(nothing[:, places].shape, nothing[places[:0]].shape, nothing.index_put((places[:0],), one).shape)

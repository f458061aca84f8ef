# Rows of widths around what vectors, registers and shared memory hold, of which the kernel knows the
# width or does not: as the processor has it.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)

FUNCTIONS = {
    "softmax": lambda x: torch.softmax(x, 1),
    "softmax of a part": lambda x: torch.softmax(x[:, 1:], 1),
    "half softmax": lambda x: torch.softmax(x.to(torch.bfloat16), 1),
    "layer norm": lambda x: torch.nn.functional.layer_norm(x, (x.shape[1],)),
    "sums": lambda x: x[1:].sum(1),
    "places": lambda x: x.argmax(1),
    "all": lambda x: (x * 0.5).mean(),
}

# Short rows are a thread's, or a few lanes'; long ones lie in registers, and longer ones begin
# within a vector.
for width in (3, 4, 8, 10, 12, 33, 100, 257, 1000, 1023, 4095, 4096, 8200, 12288, 20000, 33001):
    x = torch.randn(3 if width > 12 else 300, width)
    for name, f in FUNCTIONS.items():
        near = f(x).double()
        for run in (f, torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)):
            far = run(x.to(device)).cpu().double()
            if not torch.allclose(near, far, rtol=1e-2 if "half" in name else 1e-4, atol=1e-5):
                print(width, name, (near - far).abs().max().item())

# Rows of one vector whose memory begins between two.
x = torch.randn(1201)
far = torch.compile(FUNCTIONS["softmax"], dynamic=False)(x.to(device)[1:].view(300, 4)).cpu()
if not torch.allclose(torch.softmax(x[1:].view(300, 4), 1), far, rtol=1e-4, atol=1e-5):
    print("rows between vectors")


def looked_up(x, table, ids):
    return (x * table[ids]).sum(1)


# Long rows, some of a table, of which no one knows how far into a vector they begin.
for width in (2048, 2050):
    x, table, ids = torch.randn(3 * width + 1), torch.randn(7, width), torch.tensor([5, 2, 2])
    near = looked_up(x[1:].view(3, width), table, ids)
    far = x.to(device)[1:].view(3, width), table.to(device), ids.to(device)
    if not torch.allclose(near, torch.compile(looked_up)(*far).cpu(), rtol=1e-3, atol=1e-3):
        print(width, "rows of a table")


# Rows of a part, of which how far they begin within a vector is a sum.
for x in (torch.randn(5, 4099)[1:], torch.randn(6, 4099)[2:], torch.randn(2, 5, 4099)[:, :-1],
          torch.randn(3, 2, 2, 2049)[:, 1:], torch.randn(2, 3, 12301)[:, 1:]):
    for near, far in ((f(x), torch.compile(f)(x.to(device)).cpu())
                      for f in (lambda x: torch.logsumexp(x, -1), lambda x: x.std(-1))):
        if not torch.allclose(near, far, rtol=1e-4, atol=1e-5):
            print(list(x.shape), "rows of a part")


def of_rows(x):
    return x.sum(-1) * 2 + x[..., 0], x.amax(-1), x.var(-1), x.argmax(-1)


# Rows that are few, so that several blocks take parts of each, and as many as are not cut.
for shape in ((1, 300001), (2, 65536), (3, 70001), (2, 2, 66000), (30, 33000), (257, 9000)):
    x = torch.randn(shape)
    wanted = of_rows(x)
    for dynamic in (False, True):
        for near, far in zip(wanted, torch.compile(of_rows, dynamic=dynamic)(x.to(device))):
            if not torch.allclose(near.double(), far.cpu().double(), rtol=1e-4, atol=1e-3):
                print(shape, dynamic, "rows in slices")
    far = (x.to(device) > 4).any(-1).cpu()
    if not torch.equal((x > 4).any(-1), far):
        print(shape, "any")

# Rows that shared memory holds as far as it goes: by two compilations of one kernel, whose lengths come
# and go, and by a kernel that is tuned.
softmax = FUNCTIONS["softmax"]
first, second = torch.compile(softmax, dynamic=True), torch.compile(softmax, dynamic=True)
tuned = torch.compile(softmax, mode="max-autotune")
for run, width in ((first, 40000), (second, 9000), (first, 40001), (tuned, 50257), (tuned, 50257)):
    x = torch.randn(2, width)
    if not torch.allclose(softmax(x), run(x.to(device)).cpu(), rtol=1e-4, atol=1e-7):
        print(width, "rows in shared memory")
print("done")

# What is written over, whatever its strides and the dtype of what is written: one launch, and
# nothing copied; and memory that is only asked for, which is none.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
on_device = device == "cuda"


def show(x):
    print(str(x.dtype), tuple(x.shape), x.double().flatten().tolist())


def write(base, how, launches=1):
    how(base.clone())
    y = base.clone()
    if not base.is_contiguous():
        y = base.t().clone().t()
    before, copies = glint.cuda.launches(), glint.cuda.copies()
    version = y._version
    how(y)
    assert y._version == version + 1, (y._version, version)
    assert glint.cuda.copies() == copies
    assert glint.cuda.launches() - before == (launches if on_device else 0), glint.cuda.launches() - before
    show(y.cpu())


def assign(place, value):
    def how(y):
        y[place] = value

    return how


x = torch.arange(24.0).reshape(4, 6).to(device)
whole = torch.arange(24).reshape(4, 6).to(device) * 3
everything = slice(None)
for base in (x, x.t(), whole, whole.to(torch.uint8).t(), x.to(torch.bfloat16)):
    write(base, lambda y: y.zero_())
    write(base, lambda y: y.fill_(7))
    write(base, lambda y: y[:, 0].zero_())
    write(base, lambda y: y[:, ::2].fill_(2))
    write(base, assign(0, 1))
    write(base, assign((everything, 0), 1.0))
    write(base, assign((everything, 1), True))
    write(base, assign(everything, whole[0, 1]))
    write(base, assign((0, 1), torch.tensor(5)))
    write(base, lambda y: y.fill_(whole[0, 2]))
    write(base, lambda y: y.copy_(whole if y.shape == whole.shape else whole.t()))
    write(base, lambda y: y[:, ::2].copy_(x[1, 2]))
    write(base, assign((everything, slice(1, 3)), x[2:3, 1:2]))

# What is read is what was there before.
y = x.clone()
y[:, 1:] = y[:, :-1]
show(y.cpu())
y.t()[:4].copy_(y[:, :4])
show(y.cpu())
for wrong in (lambda: whole.to(torch.uint8).fill_(300), lambda: x.copy_(x[:, :3]), lambda: x.fill_(x[0])):
    try:
        show(wrong().cpu())
    except RuntimeError as error:
        print(error)
small = whole.to(torch.uint8)
small[0] = 255
show(small.cpu())

before = glint.cuda.launches()
made = [
    torch.empty(3, 4, device=device),
    torch.empty_like(x),
    torch.empty_like(x.t(), dtype=torch.int64),
    torch.empty(0, device=device),
    torch.empty_like(x.cpu(), device=device),
]
print(glint.cuda.launches() == before, [(each.shape, each.stride(), each.dtype) for each in made])
print(made[-1].device.type == device)

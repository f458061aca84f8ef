# Numbers that differ from call to call compile nothing, and a tensor of the processor without
# dimensions is one of them: nothing is moved for it.
import torch
import torch.nn.functional as F
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
on_device = device == "cuda"
torch.manual_seed(0)


def show(x):
    return str(x.dtype), tuple(x.shape), x.double().mul(64).round().flatten()[:40].tolist()


def check(name, f, values):
    """Calls f with all values: the first compiles, the others do not."""
    for i, value in enumerate(values):
        programs, copies = glint.cuda.programs(), glint.cuda.copies()
        result = f(value)
        if on_device:
            assert glint.cuda.copies() == copies, (name, value)
            assert i == 0 or glint.cuda.programs() == programs, (name, value)
        print(name, value, *show(result.cpu()))


x = torch.rand(6, 7).to(device)
whole = torch.arange(42).reshape(6, 7).to(device)
check("arange", lambda k: torch.arange(k, k + 6, 2, device=device), (2, 5, 0, -7, 1))
check("arange of floats", lambda k: torch.arange(k, k + 2, 0.25, device=device), (2.5, -1.0, 0.125))
check("arange in uint8", lambda k: torch.arange(k, k + 9, 3, dtype=torch.uint8, device=device), (3, 250))
check("arange in half", lambda k: torch.arange(k, k + 9, 3, dtype=torch.half, device=device), (3, 100))
check("power", lambda k: x**k, (4, 5, 7))
check("real power", lambda k: x**k, (1.5, 2.5, -0.75))
for k in (2, 0.5, -0.5, -1, 3):
    print("power", k, *show((x**k).cpu()))
check("power of a number", lambda k: k**x, (2, 3))
check("leaky_relu", lambda k: F.leaky_relu(x - 0.5, k), (0.1, 0.3, -2.0))
check("tril", lambda k: x.tril(k), (1, 0, -3, 2))
check("triu", lambda k: (x > 0.5).triu(k), (-1, 0, 3))
check("repeat", lambda k: x.repeat(k, 2), (5, 3, 4))
check("repeat_interleave", lambda k: x.repeat_interleave(k, 0), (5, 3, 4))
check("layer_norm", lambda k: F.layer_norm(torch.arange(k * k * 1.0, device=device).view(k, k), (k,)), (5, 9, 300))

# A negative exponent of integers stays PyTorch's error.
for k in (3, -1):
    try:
        print(*show((whole**k).cpu()))
    except RuntimeError as error:
        print(error)


def gradient(f):
    leaf = (x - 0.5).requires_grad_()
    f(leaf).sum().backward()
    return leaf.grad


check("slope", lambda k: gradient(lambda y: F.leaky_relu(y, k)), (0.1, 0.3))
check("slope of a power", lambda k: gradient(lambda y: (y + 1) ** k), (4, 5, 6))
compiled = torch.compile(lambda y, k: gradient(lambda y: F.leaky_relu(y, k)) * y)
for k in (0.1, 0.3, 0.7):
    print("compiled", *show(compiled(x, k).cpu()))
inside = torch.compile(lambda y, k: F.leaky_relu_(y * 1.0, k))
for k in (0.1, 0.3, 0.7):
    leaf = (x - 0.5).requires_grad_()
    inside(leaf, k).sum().backward()
    print("in place", *show(leaf.grad.cpu()))

# Tensors of the processor without dimensions.
for number in (2.5, 3, True):
    for dtype in (None, torch.float64, torch.uint8):
        for tensor in (x, whole, whole.to(torch.uint8)):
            near = torch.tensor(number, dtype=dtype)
            copies = glint.cuda.copies()
            results = [tensor + near, near * tensor, torch.where(tensor > near, tensor, near), tensor == near]
            assert not on_device or glint.cuda.copies() == copies
            print(*[show(each.cpu()) for each in results])
y = x.clone()
y += torch.tensor(2)
print(*show(y.cpu()))

# Numbers that a narrow int does not hold: their lowest bits.
for dtype in (torch.float32, torch.float64):
    large = torch.tensor([3e9, 2.0**31 + 512, 5e9, 300.5, -1.5, -300.0], dtype=dtype, device=device)
    print(large.to(torch.uint8).cpu(), torch.compile(lambda t: t.to(torch.uint8) + 1)(large).cpu())

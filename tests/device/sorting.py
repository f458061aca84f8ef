# What is in order: values and places as on the processor, for each dtype, layout and size, with NaN
# and equals; and how many launches it takes.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)

FUNCTIONS = {
    "sort": lambda x, dim: x.sort(dim=dim, stable=True),
    "descending": lambda x, dim: x.sort(dim=dim, descending=True, stable=True),
    "argsort": lambda x, dim: (x.argsort(dim=dim, stable=True),),
    "mode": lambda x, dim: x.mode(dim),
    # Which of several equals these name is up to the device.
    "topk": lambda x, dim: x.topk(min(2, x.shape[dim] if x.dim() else 1), dim)[:1],
    "kthvalue": lambda x, dim: x.kthvalue(1, dim, True)[:1],
}


def said(run, x, dim):
    """The results, or the error's words."""
    try:
        return [each.cpu() for each in run(x, dim)]
    except (RuntimeError, IndexError) as error:
        return str(error).replace("on CPU", "").replace("_cuda\"", "_cpu\"")


def same(near, far):
    if isinstance(near, str) or isinstance(far, str):
        return near == far
    return all(a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride()
               and torch.allclose(a.double(), b.double(), rtol=0, atol=0, equal_nan=True)
               for a, b in zip(near, far))


def compare(x):
    for name, run in FUNCTIONS.items():
        for dim in range(max(x.dim(), 1)):
            if not same(said(run, x, dim), said(run, x.to(device), dim)):
                print(name, x.dtype, tuple(x.shape), x.stride(), dim)


def few_values(shape, dtype):
    x = torch.randint(0, 6, shape).to(dtype)
    if dtype.is_floating_point and x.numel() > 3:
        x = torch.where(torch.randint(0, 7, shape) == 0, torch.full((), float("nan"), dtype=dtype), x)
    return x


for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32,
              torch.int16, torch.int8, torch.uint8, torch.bool):
    for shape in ((), (0,), (1,), (5, 3), (4, 0), (2, 3, 4), (40, 33)):
        x = few_values(shape, dtype)
        compare(x)
        if x.dim() > 1:
            compare(x.transpose(0, -1))
            compare(x[..., ::2])
# Around what a block sorts at once, and what several merge.
for length in (1023, 1024, 1025, 2048, 2049, 5000):
    compare(few_values((length,), torch.float32))
    compare(few_values((length, 2), torch.int64))
x = torch.randn(3000)
print(same(x.sort()[:1], [x.to(device).sort()[0].cpu()]), x.to(device).topk(3)[0].cpu() == x.topk(3)[0],
      x.to(device).kthvalue(1500)[0].item() == x.kthvalue(1500)[0].item())


def launches(run):
    run()
    before = glint.cuda.launches()
    run()
    return glint.cuda.launches() - before


y = torch.randn(4, 1000, device=device)
for run in (lambda: y.sort(1), lambda: y.t().sort(1), lambda: y.sort(0), lambda: y.argsort(1),
            lambda: y.topk(5), lambda: y[:, ::2].kthvalue(3, 0)):
    print(launches(run) <= 1, end=" ")
print(launches(lambda: y.mode(0)) <= 2, launches(lambda: y.mode(1)) <= 2,
      launches(lambda: y.view(-1).sort()) <= 3)
compiled = torch.compile(lambda x: (x * 2).sort(0)[0] + x.argsort(0))
print(compiled(torch.tensor([[3.0, 1.0], [1.0, 2.0], [2.0, 3.0]], device=device)))

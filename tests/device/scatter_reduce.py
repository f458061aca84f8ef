# scatter_reduce and index_reduce: as on the processor, for each dtype and way, from views and in place.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
i = torch.tensor([[0, 1, 1, 4], [2, 2, 2, 0], [3, 3, 0, 0]])
rows = torch.tensor([2, 0, 2])
x, s = torch.arange(15).reshape(3, 5) % 7 - 2, torch.arange(12).reshape(3, 4) % 5 - 1
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int16, torch.uint8, torch.bool):
    a, b = x.abs().to(dtype).to(device), s.abs().to(dtype).to(device)
    if dtype.is_floating_point:
        a, b = a / 4 - 1, b / 2 - 1
    for how in ("sum", "prod", "mean", "amax", "amin"):
        if how == "mean" and dtype == torch.bool:
            continue
        for include_self in (True, False):
            named = {"include_self": include_self}
            print(dtype, how, include_self, a.scatter_reduce(1, i.to(device), b, how, **named).cpu())
            print(a.t().clone().t().scatter_reduce_(1, i.to(device), b, how, **named).sum(1).cpu())
            if how != "sum" and dtype != torch.bool:
                print(a.index_reduce(1, rows.to(device), b[:, 1:], how, **named).cpu())
a, b = torch.tensor([[float("nan"), 1.0, 2.0]], device=device), torch.tensor([[3.0, float("nan"), -1.0]], device=device)
print(a.scatter_reduce(1, i[:1, :3].to(device), b, "amax"), a.scatter_reduce(1, i[:1, 1:3].to(device), b, "amin"))

x, s = torch.linspace(-1, 1, 15).reshape(3, 5), torch.linspace(-2, 1.5, 12).reshape(3, 4)
for how in ("sum", "prod", "mean", "amax", "amin"):
    f = lambda a, b: a.scatter_reduce(1, i.to(device), b, how)
    a, b = x.clone().to(device).requires_grad_(), s.clone().to(device).requires_grad_()
    print(how, *torch.autograd.grad((f(a, b) ** 2).sum(), (a, b)), torch.equal(torch.compile(f)(a, b), f(a, b)))

# The signs of every kind of number, and what out= takes.
few = torch.tensor([0.0, -0.0, 1.5, -1.5, float("inf"), -float("inf")])
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8):
    y = few.nan_to_num(posinf=9, neginf=-9).to(dtype).to(device)
    print(y.signbit().cpu(), y[::2].signbit(), torch.compile(torch.signbit)(y).cpu(), y.isposinf().cpu())
for out in (torch.empty(3, dtype=torch.int64), torch.empty(3, dtype=torch.float64), torch.empty(0)):
    print(torch.sum(x.to(device) * 4, 1, out=out.to(device)))
for call in (lambda o: torch.signbit(few.to(device), out=o), lambda o: torch.abs(few.to(device), out=o)):
    try:
        print(call(torch.empty(6, dtype=torch.float64, device=device)))
    except RuntimeError as error:
        print(error)


def launches(call):
    if device == "cpu":
        return 1
    call()
    before = glint.cuda.launches()
    call()
    return glint.cuda.launches() - before


far, index, source = x.to(device), i.to(device), s.to(device)
print(launches(lambda: far.signbit()), launches(lambda: far.isneginf()),
      *(launches(lambda: far.scatter_reduce(1, index, source, how)) for how in ("sum", "prod", "amax", "amin")))

# Signs of zeros, of NaN and of every dtype, eager and compiled.
import torch

nan, inf = float("nan"), float("inf")
x = torch.tensor([0.0, -0.0, 1.5, -1.5, nan, nan, inf, -inf])
x[5] = torch.copysign(x[5], torch.tensor(-1.0))
torch._dynamo.config.recompile_limit = 32  # an entry for each dtype
compiled = torch.compile(torch.signbit)
for dtype in (torch.float32, torch.float64, torch.float16):
    print(torch.signbit(x.to(dtype)), torch.equal(compiled(x.to(dtype)), x.to(dtype).signbit()))
few = torch.tensor([0, 1, -1, -128])
for dtype in (torch.bfloat16, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool):
    print(few.to(dtype).signbit(), compiled(few.to(dtype)))
print(x[::2].signbit(), torch.tensor(-2).signbit(), torch.zeros(0).signbit(), x.requires_grad_().signbit())
print(torch.compile(lambda a: torch.where(torch.signbit(a - a), a * 2, -a))(torch.tensor([1.0, -2.0])))
print(x.isposinf(), torch.isneginf(x), torch.isposinf(few), few.bool().isneginf())
print(hasattr(x, "signbit_"), hasattr(x, "isposinf_"))
try:
    torch.signbit(3)
except TypeError as error:
    print(error)

# What makes a copy shares no memory and has no history; what may be the same object is.
import torch
from torch import nn
import torch.nn.functional as F
import warnings

warnings.filterwarnings("ignore")  # `torch.tensor` of a tensor: `clone().detach()` is better
x = torch.ones(2)
n = x.new_tensor(x)
n.zero_()
print(x, n)
w = torch.ones(2, requires_grad=True)
print(torch.tensor(w * 2), torch.tensor(w).is_leaf, torch.tensor(w).requires_grad, x.new_tensor(w * 2), x.new_tensor(w).requires_grad)
print(torch.tensor(w, requires_grad=True), torch.tensor(w * 2, dtype=torch.float64), x.new_tensor(w, dtype=torch.int64))
p = nn.Parameter(torch.ones(2))
print(p.type(torch.FloatTensor) is p, p.type("torch.FloatTensor") is p, p.type(torch.float32) is p, p.type(torch.DoubleTensor).dtype)


class Old(nn.Module):
    def __init__(self):
        super().__init__()
        self.V = nn.Parameter(torch.ones(2)).type(torch.FloatTensor)


print([name for name, _ in Old().named_parameters()])
for make in (lambda x: F.unfold(x, (3, 4)), lambda x: F.unfold(x, (3, 1)), lambda x: F.unfold(x, (1, 1)), lambda x: F.unfold(x, 2),
             lambda x: F.pixel_shuffle(x[:, :1, :1, :1].expand(1, 4, 1, 1).contiguous(), 2), lambda x: F.pixel_unshuffle(x[:, :, :2], 1),
             lambda x: F.channel_shuffle(x, 2), lambda x: F.channel_shuffle(x, 1)):
    x = torch.arange(24.0).view(1, 2, 3, 4)
    made = make(x)
    made.fill_(7)
    print(x.sum(), made.shape)
a = torch.arange(4.0).view(1, 4, 1, 1)
F.pixel_shuffle(a, 2).mul_(0)
print(a.flatten())
v = nn.Parameter(torch.ones(1, 1, 2, 2))
F.unfold(v, 2).mul_(2).sum().backward()
print(v.grad)
print(torch.kl_div(torch.zeros(2), torch.ones(2), 1), torch.kl_div(torch.zeros(2), torch.ones(2), 0))
try:
    torch.kl_div(torch.zeros(2), torch.ones(2), reduction="mean")
except TypeError as error:
    print(str(error).split("\n")[0])
print(int.from_bytes([1, 2, 3], "big"), int.from_bytes(b"\xff\xff", "little", signed=True), int.from_bytes(b"\x00" * 12 + b"\x05", "big"), int.from_bytes(b"\xff" * 12, "big", signed=True))
for wrong in (lambda: int.from_bytes(b"a", "middle"), lambda: (3).to_bytes(1, "middle"), lambda: int.from_bytes([300], "big"), lambda: open("/tmp")):
    try:
        print(wrong())
    except (ValueError, OSError) as error:
        print(type(error).__name__, error)

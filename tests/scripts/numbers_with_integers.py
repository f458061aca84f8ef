# Floats beside tensors of integers, where they promote nothing; bounds in the wrong order.
import torch
import torch.nn.functional as F

m, v, mask = torch.arange(4).reshape(2, 2), torch.arange(2), torch.tensor([[True, False], [True, True]])


def show(call):
    try:
        print(call())
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)


sums = {
    "addmm": lambda **k: torch.addmm(m, m, m, **k), "baddbmm": lambda **k: torch.baddbmm(m[None], m[None], m[None], **k),
    "addbmm": lambda **k: torch.addbmm(m, m[None], m[None], **k), "addmv": lambda **k: torch.addmv(v, m, v, **k),
    "addmm_": lambda **k: m.clone().addmm_(m, m, **k), "addr": lambda **k: torch.addr(m, v, v, **k),
    "addr of truths": lambda **k: torch.addr(mask, mask[0], mask[1], **k),
}
for name, call in sums.items():
    for numbers in ({"beta": 2.0}, {"alpha": 2.9}, {"beta": 0.5}, {"alpha": -1.5}, {"beta": True}, {"alpha": 3},
                    {"beta": 0}, {"alpha": float("nan")}, {"beta": 1e300}):
        print(name, numbers, end=" ")
        show(lambda: call(**numbers))

# Only some of the three are integers: all is computed as what they promote to.
for dtype in (torch.float32, torch.float64, torch.float16):
    for numbers in ({"beta": 0.5}, {"alpha": 1.7}, {"beta": 0}, {"beta": float("nan")}, {"beta": 1e20, "alpha": 3}):
        show(lambda: torch.addr(m.to(dtype), v, v + 2, **numbers))
        show(lambda: torch.addr(m, v.to(dtype), v + 2, **numbers))
eights = torch.tensor([100, 3], dtype=torch.int8)
show(lambda: torch.addr(torch.zeros(2, 2), eights, eights))
show(lambda: torch.addr(m, eights, eights, alpha=5))
show(lambda: torch.addr(m, mask[0], mask[1], alpha=5))

for dtype in (torch.int64, torch.int32, torch.uint8, torch.bool, torch.float32):
    x = torch.tensor([-3, 0, 5]).to(dtype)
    for bounds in ((), (-2, 2), (-1.5, 2.5), (0, 2), (2, -2), (0.5, 0.25)):
        show(lambda: F.hardtanh(x, *bounds))
    show(lambda: F.relu6(x))
    show(lambda: F.hardtanh_(x.clone(), 0.0, 2.9))
    show(lambda: torch.nn.Hardtanh()(x))

# One piece of a split is one of several, though there is no other.
for make in (lambda w: w.split(4)[0], lambda w: w.split([4])[0], lambda w: w.chunk(1)[0], lambda w: w[:1].unbind(0)[0],
             lambda w: w.split(2)[1], lambda w: torch.tensor_split(w, 1)[0]):
    w = torch.arange(4.0, requires_grad=True)
    y = w * 2
    show(lambda: make(y).mul_(3))
    show(lambda: make(w).mul_(3))
    show(lambda: make(y.detach()).mul_(3))

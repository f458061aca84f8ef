# Bounds that no element of the type can have: one does nothing, the other is an error.
import torch


def attempt(run):
    try:
        found = run()
        print(found.dtype, found.tolist())
    except RuntimeError as error:
        print("RuntimeError", error)


def clamped(x, least, most):
    return x.clamp(least, most)


def clamped_in_place(x, least, most):
    return x.clone().clamp_(least, most)


for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool):
    x = torch.tensor([0, 1, 5, 100, 7]).to(dtype)
    for least, most in ((-3, 3), (300, None), (None, 300), (None, -300), (-40000, 40000), (300, 200),
                        (-2**40, 2**40), (2**40, None), (1, 2.5), (-2.5, None), (0, 255), (-128, 127)):
        if most is not None and isinstance(most, float) and dtype == torch.int64:
            continue
        attempt(lambda: clamped(x, least, most))
        if not isinstance(least, float) and not isinstance(most, float) and dtype != torch.bool:
            attempt(lambda: clamped_in_place(x, least, most))
    for bound in (-300, -3, 3, 300, 40000):
        attempt(lambda: torch.clamp_min(x, bound))
        attempt(lambda: x.clamp_max(bound))

# What changes nothing is a new tensor all the same.
x = torch.tensor([1, 2], dtype=torch.uint8)
y = x.clamp(-1, 300)
y[0] = 9
print(x.tolist(), y.tolist())

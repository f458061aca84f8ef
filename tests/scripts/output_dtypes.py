# Which dtypes out= takes: what a result can be cast to, the result's own, or the one to compute in.
import warnings

import torch

x, i = torch.tensor([[1.5, -2.0, 0.0], [3.0, -0.0, 2.5]]), torch.tensor([[0, 1, 1], [1, 0, 0]])
whole, mask, row = x.long(), x > 0, torch.tensor([1, 0])
calls = {
    "add": lambda a, o: torch.add(a, a, out=o), "exp": lambda a, o: torch.exp(a, out=o),
    "eq": lambda a, o: torch.eq(a, 0, out=o), "floor_divide": lambda a, o: torch.floor_divide(a, a, out=o),
    "abs": lambda a, o: torch.abs(a, out=o), "sign": lambda a, o: torch.sign(a, out=o),
    "neg": lambda a, o: torch.neg(a, out=o), "sgn": lambda a, o: torch.sgn(a, out=o),
    "floor": lambda a, o: torch.floor(a, out=o), "round": lambda a, o: torch.round(a, out=o),
    "clamp": lambda a, o: torch.clamp(a, 0, 1, out=o), "clamp_min": lambda a, o: torch.clamp_min(a, 0.5, out=o),
    "clamp of tensors": lambda a, o: torch.clamp(a, a, a + 1, out=o),
    "nan_to_num": lambda a, o: torch.nan_to_num(a, out=o), "signbit": lambda a, o: torch.signbit(a, out=o),
    "isposinf": lambda a, o: torch.isposinf(a, out=o), "isneginf": lambda a, o: torch.isneginf(a, out=o),
    "sum": lambda a, o: torch.sum(a, 1, out=o), "sum to float": lambda a, o: torch.sum(a, 1, dtype=torch.float32, out=o),
    "prod": lambda a, o: torch.prod(a, 0, out=o), "cumsum": lambda a, o: torch.cumsum(a, 1, out=o),
    "cumprod to double": lambda a, o: torch.cumprod(a, 0, dtype=torch.float64, out=o),
    "amax": lambda a, o: torch.amax(a, 1, out=o), "argmax": lambda a, o: torch.argmax(a, 1, out=o),
    "any": lambda a, o: torch.any(a, 1, out=o), "all": lambda a, o: torch.all(a, out=o),
    "tril": lambda a, o: torch.tril(a, out=o),
    "gather": lambda a, o: torch.gather(a, 1, i, out=o), "take": lambda a, o: torch.take(a, i, out=o),
    "index_select": lambda a, o: torch.index_select(a, 1, row, out=o),
    "masked_select": lambda a, o: torch.masked_select(a, mask, out=o),
    "scatter": lambda a, o: torch.scatter(a, 1, i, a, out=o),
    "index_add": lambda a, o: torch.index_add(a, 0, row, a, out=o),
    "where": lambda a, o: torch.where(mask, a, a, out=o), "heaviside": lambda a, o: torch.heaviside(a, a, out=o),
    "cat": lambda a, o: torch.cat([a, a], out=o), "stack": lambda a, o: torch.stack([a, a], out=o),
    "mm": lambda a, o: torch.mm(a, a.t(), out=o), "mv": lambda a, o: torch.mv(a, a[0], out=o),
    "addmm": lambda a, o: torch.addmm(a[:, :2], a, a.t(), out=o), "dot": lambda a, o: torch.dot(a[0], a[0], out=o),
    "bmm": lambda a, o: torch.bmm(a[None], a.t()[None], out=o),
    "addbmm": lambda a, o: torch.addbmm(a[:, :2], a[None], a.t()[None], out=o),
    "softmax": lambda a, o: torch.softmax(a.float(), 1, out=o), "norm": lambda a, o: torch.norm(a.float(), 2, 1, out=o),
    "mean": lambda a, o: torch.mean(a.float(), 1, out=o),
    "mean to double": lambda a, o: torch.mean(a, 1, dtype=torch.float64, out=o),
}
for name, call in calls.items():
    for given in (x, whole):
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.bool):
            if name in ("sum", "prod", "cumsum") and dtype == torch.bool:
                continue
            try:
                result = call(given, torch.empty(0, dtype=dtype))
                print(name, given.dtype, result)
            except (RuntimeError, TypeError) as error:
                print(name, given.dtype, type(error).__name__, str(error).split("\n")[0])

# What has elements is resized with a warning; what has none, without one.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    o = torch.zeros(2)
    torch.add(torch.ones(3), 1, out=o)
    torch.sum(x, 1, out=torch.zeros(1, 1))
    torch.mm(x, x.t(), out=torch.zeros(3))
    torch.histc(x, 4, out=torch.zeros(2))
    torch.masked_select(x, mask, out=torch.zeros(1))
    torch.add(x, 1, out=torch.zeros(0)), torch.add(x, 1, out=torch.zeros(3, 0)), torch.add(x, 1, out=torch.zeros(2, 3))
    print(o)
for each in caught:
    print(each.category.__name__, str(each.message).split(" (Triggered")[0])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        torch.add(torch.ones(4), 1, out=o)
    except UserWarning as error:
        print(type(error).__name__, str(error)[:84])

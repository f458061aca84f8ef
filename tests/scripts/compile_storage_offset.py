# Where a view begins in its memory, asked in a compiled function and of what it returns.
import torch
@torch.compile
def g():
    x = torch.arange(24).reshape(2,3,4)
    y = x + 1
    return x[1:].storage_offset(), y[1:], y[:, 1:].storage_offset(), x[:, :, 2]
a = g()
print(a, a[1].storage_offset())
a = g()
print(a, a[1].storage_offset())
@torch.compile
def h(x):
    y = x + 1
    return y[1:], y[:, 1:]
a, b = h(torch.ones(3, 4))
print(a.storage_offset(), b.storage_offset(), a.stride(), b.stride())
a, b = h(torch.ones(3, 4))
print(a.storage_offset(), b.storage_offset(), a.stride(), b.stride())
x = torch.arange(6.0)
@torch.compile
def off(x):
    return x.storage_offset(), x * 2
print(off(x), off(x[1:]), off(x[3:]))

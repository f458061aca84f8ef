# `x.view(dtype)`: the same memory, its bits read as another dtype.
import torch


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


x = torch.tensor([1.0, -2.0, 0.5, 3.0])
i = torch.arange(8, dtype=torch.uint8)
d = torch.tensor([[1.5, 2.5], [3.0, 4.0]], dtype=torch.float64)
m = torch.arange(12, dtype=torch.float32).view(3, 4)

# Of the same size, smaller and larger.
print(x.view(torch.int32), x.view(dtype=torch.int32), x[0].view(torch.int32))
print(d.view(torch.int64), d.t().view(torch.int64), d.view(torch.float32).shape)
print(x.view(torch.uint8), i.view(torch.int32), i.view(torch.int64), i.view(torch.float16))
print(x.half().view(torch.int16), x.bfloat16().view(torch.int16), x.view(torch.bfloat16).shape)
print(torch.tensor([1, 2]).view(torch.float64), torch.tensor([True, False]).view(torch.uint8))
print(x.view(float), x.view(int), torch.zeros(0).view(torch.int32), torch.zeros(2, 0).view(torch.uint8).shape)
print(m[:, ::2].view(torch.int32), m[:, :2].view(torch.float64), m[1:].view(torch.int32)[0, 0])
print(m[:, :2].view(torch.float64).stride(), m[1:].view(torch.float64).storage_offset(), m.view(torch.int16).stride())

# It is a view, without a gradient.
v = x.view(torch.int32)
v[0] = 1065353216 + 1
print(x, v.data_ptr() == x.data_ptr(), x.view(torch.float32) is x, v.view(2, 2), v.is_contiguous())
w = torch.ones(2, requires_grad=True)
print(w.view(torch.int32).requires_grad, (w * 2).view(torch.float32).requires_grad)

# What does not fit.
attempt(lambda: d.t().view(torch.float32))
attempt(lambda: i[:3].view(torch.int32))
attempt(lambda: i[1:5].view(torch.int32))
attempt(lambda: x[0].view(torch.uint8))
attempt(lambda: m[:, ::2].view(torch.float64))
attempt(lambda: m[:, 1:3].view(torch.float64))
attempt(lambda: torch.zeros(2, 3)[:, :2].view(torch.float64))
attempt(lambda: x.view(torch.int32, 2))


# The root of games, also compiled.
def inverse_root(n):
    i = n.view(torch.int32)
    z = (0x5F3759DF - (i >> 1)).view(torch.float32)
    return z * (1.5 - 0.5 * n * z * z)


numbers = torch.tensor([4.0, 9.0, 2.0])
print(inverse_root(numbers), torch.compile(inverse_root)(numbers), torch.compile(inverse_root)(numbers + 1))


def written(x, bits):
    before = x * 2
    bits[0] = 0
    return before + x, bits + 1


y = torch.tensor([1.0, 2.0])
print(written(y, y.view(torch.int32)), y)
y = torch.tensor([1.0, 2.0])
print(written(y, y.view(torch.int32)), y)

# Which of several faults is told.
bytes_of = torch.arange(64, dtype=torch.uint8)
for x, dtype in ((bytes_of.view(8, 8).t()[:, :3], torch.int32), (bytes_of.view(8, 8)[:, ::2], torch.int64),
                 (bytes_of[1:].as_strided((3, 4), (7, 2), 2), torch.int32), (bytes_of.as_strided((3, 4), (7, 1)), torch.int32),
                 (torch.arange(6).view(2, 3).t(), torch.int16)):
    try:
        x.view(dtype)
    except RuntimeError as error:
        print(error)

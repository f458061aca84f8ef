# Elementwise operators whose rows are short, as broadcasting leaves them, against the same of copies.
import torch

dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool)


def made(*sizes, dtype):
    count = 1
    for size in sizes:
        count *= size
    return ((torch.arange(count) * 7) % 23 + 1).reshape(sizes).to(dtype)


def check(x, y):
    same = []
    for function in (torch.add, torch.mul, torch.maximum, torch.gt, torch.eq):
        for a, b in ((x, y), (y, x)):
            whole = torch.broadcast_tensors(a, b)
            same.append(torch.equal(function(a, b), function(*(each.contiguous() for each in whole))))
    return all(same)


for dtype in dtypes:
    x = made(3, 50, 30, 7, dtype=dtype)
    print(dtype, check(x, made(7, dtype=dtype)), check(x, made(30, 1, dtype=dtype)),
          check(x, made(50, 1, 1, dtype=dtype)), check(x, made(3, 1, 30, 7, dtype=dtype)),
          check(x, made(3, 50, 1, 7, dtype=dtype)), check(x, made(1, dtype=dtype)),
          check(made(300, 1, dtype=dtype), made(1, 5, dtype=dtype)),
          check(made(2000, 1, dtype=dtype), made(2000, 1, dtype=dtype)[:, :1].expand(2000, 3)))
    print(check(made(200, 16, dtype=dtype)[:, 3:9], made(6, dtype=dtype)),
          check(made(200, 16, dtype=dtype)[:, ::2], made(200, 8, dtype=dtype)[:, 1:2]),
          check(made(2, 100, dtype=dtype).t(), made(200, 2, dtype=dtype)[::2]),
          check(made(20, 129, dtype=dtype), made(20, 1, dtype=dtype)),
          check(made(20, 128, dtype=dtype), made(20, 1, dtype=dtype)))

x = made(400, 7, dtype=torch.float32)
wanted = x * made(400, 1, dtype=torch.float32).expand(400, 7).contiguous() - made(7, dtype=torch.float32)
x *= made(400, 1, dtype=torch.float32)
x -= made(7, dtype=torch.float32)
print(torch.equal(x, wanted))

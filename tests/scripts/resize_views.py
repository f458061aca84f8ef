# `resize_` while other tensors look at the memory, and after they are gone.
import torch

x = torch.arange(6)
y = x[1:4]
x.resize_(2)
x[1] = 50
print(x, y)
x.resize_(3, 2)
x[2, 1] = 70
y[2] = 60
print(x, y)
y.resize_(5)
print(y, x.shape)
x[1, 1] = 80
print(y)

x = torch.zeros(3)
y = x[:2]
del y
x.resize_(6)
x[3:] = 4
print(x, x.is_contiguous(), x.storage_offset())
try:
    x.as_strided((3,), (4,))
except RuntimeError as error:
    print(error)

# What is contracted with a size of 1 is summed; neighbours of a mask differ or do
# not; a mask is divided as integers are.
import torch

a = torch.arange(6.0).reshape(2, 3)
b = torch.arange(12.0).reshape(3, 4)
print(torch.tensordot(a[:, :1], b, dims=([1], [0])))
print(torch.tensordot(a, b[:1], dims=([1], [0])))
print(torch.tensordot(a, b, dims=1))
try:
    torch.tensordot(a[:, :2], b, dims=([1], [0]))
except RuntimeError as error:
    print(error)
mask = torch.tensor([[True, False, False], [True, True, False]])
print(mask.diff(), mask.diff(dim=0), mask.diff(n=2))
print(torch.arange(5).diff(), torch.empty(0).diff())
print(torch.div(mask, 2, rounding_mode="trunc"))
print(torch.div(mask[0], torch.tensor([1, -1, 3], dtype=torch.int8), rounding_mode="trunc"))

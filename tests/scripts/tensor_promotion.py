# Type promotion: dtypes, 0-dim tensors and Python numbers count by category.
import torch

dtypes = [torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64]
for a in dtypes:
    print(str(a)[6:], [str((torch.ones(2, dtype=a) + torch.ones(2, dtype=b)).dtype)[6:] for b in dtypes])
for a in dtypes:
    x = torch.ones(2, dtype=a)
    print(str(a)[6:], [str((x * s).dtype)[6:] for s in (True, 2, 2.5)], [str((x + torch.tensor(s)).dtype)[6:] for s in (True, 2, 2.5)], [str((torch.tensor(1, dtype=a) + s).dtype)[6:] for s in (True, 2, 2.5)])
for a in dtypes[1:]:
    x = torch.full((2,), 3, dtype=a)
    print(str(a)[6:], (x / 2).dtype, (x // 2).dtype, (x**2).dtype, (x > 1).dtype, (x % 2).dtype, torch.sqrt(x).dtype, x.sum().dtype, (-x).dtype)
print(torch.sin(torch.tensor([1])).dtype, torch.tensor([True, True]).sum(), (torch.tensor([True]) + torch.tensor([True])).dtype, torch.promote_types(torch.int32, torch.float16), torch.result_type(torch.ones(1, dtype=torch.int32), 1.0))
print((torch.ones(2) + torch.tensor(1.0, dtype=torch.float64)).dtype, (torch.ones(2, dtype=torch.int64) + torch.tensor(1.5)).dtype, torch.where(torch.tensor([True]), torch.ones(1), torch.ones(1, dtype=torch.float64)).dtype)
x = torch.ones(2, dtype=torch.int64)
try:
    x += 1.5
except RuntimeError as error:
    print(error)
x += 1
print(x, torch.cat([torch.ones(1), torch.ones(1, dtype=torch.int64)]).dtype, torch.stack([torch.ones(1, dtype=torch.float64)]).dtype)

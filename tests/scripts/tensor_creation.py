# tolerance: 1e-6
# Creating tensors: from data, filled, ranges, like others.
import torch

print(torch.tensor([1, 2, 3]), torch.tensor([1.5, 2]), torch.tensor([[True, False]]), torch.tensor(7), torch.tensor([]), torch.tensor([[1, 2], [3, 4]], dtype=torch.float64))
print(torch.zeros(2, 3), torch.ones(2, dtype=torch.int64), torch.full((2, 2), 7), torch.full((2,), 1.5), torch.zeros((2, 1)), torch.empty(0), torch.zeros(0, 3))
print(torch.arange(5), torch.arange(1, 10, 3), torch.arange(0, 1, 0.25), torch.arange(5.0), torch.arange(5, 0, -2), torch.linspace(0, 1, 5), torch.eye(3), torch.eye(2, 3))
x = torch.ones(2, 2, dtype=torch.float64)
print(torch.zeros_like(x), torch.ones_like(x, dtype=torch.int32), torch.full_like(x, 3), torch.empty_like(x).shape, x.new_zeros(3), x.new_ones(2))
print(torch.tensor([1, 2.5]).dtype, torch.tensor([1]).dtype, torch.tensor([True]).dtype, torch.tensor(2.0).dtype, torch.arange(3).dtype, torch.get_default_dtype())
print(x.shape, x.size(), x.size(0), x.dim(), x.ndim, x.numel(), len(x), x.dtype, x.device, x.is_contiguous(), x.stride(), x.element_size(), torch.tensor(1).shape, list(x.shape), x.shape[0] + 1)
print(torch.tensor([[1, 2], [3, 4]]).tolist(), torch.tensor(3).item(), torch.tensor([2.5]).item(), float(torch.tensor(1.5)), int(torch.tensor(3.7)), bool(torch.tensor(0)), torch.is_tensor(x), isinstance(x, torch.Tensor), type(x).__name__)
print(torch.Size([2, 3]), torch.Size([2, 3]).numel(), tuple(torch.zeros(2, 3).shape), torch.zeros(3).shape == (3,), torch.zeros(2, 3).shape[-1])
print(torch.arange(True), torch.arange(False, 3, True), torch.arange(True, 2.5))

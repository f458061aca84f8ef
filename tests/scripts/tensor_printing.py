# Printing floats: fixed, scientific, integral, special values, negative numbers.
import torch

print(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.5, 2.25]), torch.tensor([1e-5, 1.0]), torch.tensor([1e8, 1.0]), torch.tensor([1e5, 2.0]), torch.tensor([123456.789]), torch.tensor([-1.0, 1.0]))
print(torch.tensor([0.0001, 1000.0]), torch.tensor([0.001, 100.0]), torch.tensor([float("inf"), 1.0]), torch.tensor([float("nan"), -float("inf"), 2.5]), torch.tensor([float("nan")]), torch.tensor([-0.0, 0.0]))
print(torch.tensor(1.0), torch.tensor(3.14159), torch.tensor(-2), torch.tensor(True), torch.tensor(1e10), torch.tensor(1e-10), torch.tensor(float("nan")), torch.tensor(1234567.0))
print(torch.tensor([1, -20, 300]), torch.tensor([[1, 2], [30, 4]]), torch.tensor([True, False]), torch.tensor([[True], [False]]))
print(torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor([1, 2], dtype=torch.int32), torch.tensor([1.0], dtype=torch.bfloat16), torch.tensor([1, 2], dtype=torch.uint8), torch.tensor([1.5], dtype=torch.float16))
print(torch.tensor([[1.5, -2.0], [100.25, 3.0]]))
print(torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]))
print(torch.zeros(2, 2, 2, 2))
print(torch.tensor([]), torch.zeros(0, 3), torch.zeros(2, 0), torch.tensor([], dtype=torch.int64), torch.zeros(3, 0, 2))
print([torch.tensor([1, 2]), torch.tensor(2.5)], {"k": torch.ones(1)}, (torch.zeros(2),))
print(f"{torch.tensor(2.5)} {torch.tensor(2.5):.3f} {torch.tensor(7):d} {torch.tensor([1.0, 2.0])}", str(torch.ones(1)), repr(torch.ones(1)))
print(torch.tensor([1e-8, 1e8]), torch.tensor([1e-3, 1e3]), torch.tensor([9.9999999, 1.0]), torch.tensor([0.00011, 0.5]), torch.tensor([99999.5, 1.0]), torch.tensor([1e4, 0.5]), torch.tensor([12345678.0, 1.0]))

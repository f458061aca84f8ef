# Printing many elements: line breaks and summaries.
import torch

print(torch.arange(30))
print(torch.arange(30.0) / 7)
print(torch.arange(1000))
print(torch.arange(1001))
print(torch.arange(2000.0).reshape(20, 100))
print(torch.arange(1200).reshape(3, 4, 100))
print(torch.ones(10, 200) * 1.5)
print(torch.arange(5000).reshape(10, 500)[:2])
print(torch.zeros(40, 3, dtype=torch.int64)[:3], torch.zeros(7, 7, 7, 7).shape)
print(torch.arange(8000).reshape(20, 20, 20))
print(torch.linspace(-1000, 1000, 21))

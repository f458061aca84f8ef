# Conversions between dtypes, and the limits of each.
import torch

x = torch.tensor([1.7, -1.7, 300.5])
print(x.int(), x.long(), x.to(torch.int32), x.double(), x.half(), x.bfloat16(), x.bool(), x.to(torch.float64).dtype, x.to("cpu").dtype, x.type(torch.int64), x.float() is x, x.to(torch.float32) is x)
print(torch.tensor([True, False]).float(), torch.tensor([0, 2]).bool(), torch.tensor([1, 2]).to(x.dtype), torch.tensor([255], dtype=torch.uint8) + 1, torch.tensor([127], dtype=torch.int8) + 1, torch.tensor([2**31 - 1], dtype=torch.int32) + 1)
print(torch.finfo(torch.float32).eps, torch.finfo(torch.float32).max, torch.finfo(torch.bfloat16).eps, torch.iinfo(torch.int32).max, torch.iinfo(torch.int64).min, torch.finfo(torch.float16).max)
print(torch.float32, torch.float, torch.long, torch.half, torch.int, torch.double, torch.float32 == torch.float, torch.float32.is_floating_point, torch.int8.itemsize, x.is_floating_point())
print(torch.tensor([1 / 3], dtype=torch.bfloat16), torch.tensor([1 / 3], dtype=torch.float16), torch.tensor([1 / 3], dtype=torch.float64), torch.tensor([70000.0]).half(), torch.tensor([3.14159]).bfloat16().float(), torch.tensor([1e-8]).half())
print(torch.tensor([1.0, 2.0], dtype=torch.bfloat16) * 1.01, torch.tensor([256.0], dtype=torch.bfloat16) + 1, (torch.tensor([0.1], dtype=torch.float16) * 3).item(), torch.device("cpu"), x.cpu().device, x.device.type)

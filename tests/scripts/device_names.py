# What names a device, and what does not.
import torch

for text in ("cuda:-1", "cuda:x", "cuda:", "cuda:01", "cpu:-1", "cpu:1", "cuda:0 ", "cuda:99999999999",
             "", "cuda:1:2", "cpu:0", "cuda", "cuda:3"):
    try:
        print(repr(text), repr(torch.device(text)))
    except RuntimeError as error:
        print(repr(text), error)
for type, index in (("cuda", -1), ("cpu", -1), ("cuda", 1), ("cuda:0", 1), ("cpu", 0)):
    try:
        print(type, index, repr(torch.device(type, index)))
    except RuntimeError as error:
        print(type, index, error)
try:
    torch.zeros(2, device="cpu:-1")
except RuntimeError as error:
    print(error)

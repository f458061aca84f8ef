# Probabilities of a tensor are looked at by the call that waits, not by the draw.
import torch

p = torch.tensor([0.0, 1.0, 1.0]).cuda()
drawn = torch.bernoulli(p)
print(torch.cuda.current_stream().query())
print(drawn)
lost = torch.bernoulli(p * 2)
print("launched", torch.cuda.current_stream().query())
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print(type(error).__name__, error)
print(torch.bernoulli(p))

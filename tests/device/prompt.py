# Kernels over much more than a thousand rows or elements: at a prompt too they run whole.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.arange(40000, device=device, dtype=torch.float32).reshape(5000, 8) % 7
print(x.sum(1)[-3:], x.amax(1)[::700])
print((x * 2 + 1)[-1], torch.softmax(x, 1).sum(1)[-2:])
print(x.cumsum(1)[-1], x.sum(0), x.argmax(1).sum())
x += 1
print(x[-1], (x == 3).sum())
f = torch.compile(lambda a: (a * 3).amax(1) + a[:, 0])
print(f(x)[-4:])

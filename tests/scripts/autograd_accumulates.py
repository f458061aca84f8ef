# A second gradient of a leaf is added in place: whoever holds `.grad` sees it, in compiled code too.
import torch
w = torch.ones(3, requires_grad=True)
def run(s):
    (w * s).sum().backward()
run(1.0)
g = w.grad
run(2.0)
print(g is w.grad, g, w.grad._version)
step = torch.compile(run)
step(3.0)
print(g is w.grad, g, w.grad)
step(4.0)
print(g is w.grad, g, w.grad)
step(4.0)
print(g is w.grad, g, w.grad)
w.grad = None
step(1.0); g = w.grad; step(1.0)
print(g is w.grad, g, w.grad)
w.grad.zero_(); step(2.0); print(g)
@torch.compile
def two():
    (w * 2).sum().backward()
    (w * 3).sum().backward()
    return w.grad
r = two(); print(r is g, r)
r = two(); print(r is g, r)

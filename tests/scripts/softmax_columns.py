# tolerance: 1e-5
# softmax along dimensions that are not the last: short and long, with infinities and NaN.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 5, 300)
for dim in (0, 1):
    for f in (torch.softmax, torch.log_softmax):
        y = f(x, dim)
        print(f.__name__, dim, y.shape, y.stride(), y[0, :, 299], y[1, 2, 255:258])
strange = torch.tensor([[1.0, float("inf"), float("nan"), -float("inf")], [2.0, 0.0, 1.0, -float("inf")], [3.0, 1.0, 5.0, -float("inf")]])
print(strange.softmax(0))
print(strange.log_softmax(0))
print(x.double().softmax(1)[0, :, 0], x.bfloat16().softmax(1)[0, :, 0])
print(x.transpose(1, 2).softmax(1)[0, 0], torch.zeros(0, 3, 2).softmax(1).shape, torch.zeros(2, 0, 3).softmax(1).shape)
z = x.clone().requires_grad_()
(F.log_softmax(z, 1) * x).sum().backward()
print(z.grad[0, :, 7])
image = torch.randn(2, 4, 6, 7, requires_grad=True)
loss = F.cross_entropy(image, torch.randint(0, 4, (2, 6, 7)))
loss.backward()
print(loss.detach(), image.grad[1, :, 5, 6])
print(torch.compile(lambda x: x.softmax(1))(x)[1, :, 40])

# tolerance: 2e-4
# Convolutions large enough for the tuned library: each kind, forward and back, on one thread and more.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def show(name, convolve, x, w, b=None, **windows):
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for f in (convolve, torch.compile(lambda *given: convolve(*given, **windows))):
            given = [each.clone().requires_grad_() for each in (x, w, b) if each is not None]
            y = f(*given) if f is not convolve else convolve(*given, **windows)
            (y * torch.linspace(-1, 1, y.numel()).reshape(y.shape)).sum().backward()
            print(name, tuple(y.shape), y.flatten()[::y.numel() // 3].detach(), *[g.grad.flatten()[-2:] for g in given])


show("plain", F.conv2d, torch.randn(6, 3, 20, 17), torch.randn(20, 3, 3, 3) / 5, torch.randn(20))
show("strided", F.conv2d, torch.randn(5, 18, 15, 15), torch.randn(33, 18, 3, 3) / 12, torch.randn(33), stride=2, padding=1)
show("dilated", F.conv2d, torch.randn(2, 16, 20, 20), torch.randn(16, 16, 3, 3) / 12, padding=2, dilation=2)
show("grouped", F.conv2d, torch.randn(4, 32, 12, 12), torch.randn(48, 8, 3, 3) / 8, torch.randn(48), padding=1, groups=4)
show("depthwise", F.conv2d, torch.randn(3, 32, 14, 14), torch.randn(32, 1, 3, 3) / 3, padding=1, groups=32)
show("one image", F.conv2d, torch.randn(1, 40, 16, 16), torch.randn(70, 40, 3, 3) / 19, torch.randn(70), padding=1)
show("points", F.conv2d, torch.randn(4, 64, 9, 9), torch.randn(32, 64, 1, 1) / 8)
show("signal", F.conv1d, torch.randn(4, 24, 100), torch.randn(40, 24, 5) / 11, torch.randn(40), padding=2)
show("volume", F.conv3d, torch.randn(2, 6, 8, 8, 8), torch.randn(12, 6, 3, 3, 3) / 12, torch.randn(12), padding=1)
show("transposed", F.conv_transpose2d, torch.randn(3, 20, 9, 9), torch.randn(20, 16, 4, 4) / 12, torch.randn(16), stride=2, padding=1)
show("transposed groups", F.conv_transpose2d, torch.randn(2, 16, 7, 7), torch.randn(16, 8, 3, 3) / 8, stride=2, padding=1, output_padding=1, groups=2)
# Other layouts, and a gradient of a gradient.
x = torch.randn(2, 12, 12, 16).permute(0, 3, 1, 2).requires_grad_()
w = (torch.randn(3, 3, 16, 24) / 12).permute(3, 2, 0, 1).requires_grad_()
y = F.conv2d(x, w, padding=1)
g, = torch.autograd.grad(y.square().sum(), x, create_graph=True)
g.sum().backward()
print(y.shape, x.grad.flatten()[:3], w.grad.flatten()[:3])
y = F.conv2d(x, w).sum()  # its gradient is one number everywhere
x.grad = None
y.backward()
print(x.grad[0, :2, 5, 5])
# A net and its training.
net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                    nn.MaxPool2d(3, 2, 1), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(32 * 4, 5))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
images, labels = torch.randn(16, 3, 16, 16), torch.arange(16) % 5
for step in range(5):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(images), labels)
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))

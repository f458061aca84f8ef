# tolerance: 1e-3
# Networks that work in frequencies: FNO's spectral convolution, FNet's mixing, a global filter.
import torch
from torch import nn


class SpectralConv2d(nn.Module):
    def __init__(self, in_channels, out_channels, modes1, modes2):
        super().__init__()
        self.out_channels, self.modes1, self.modes2 = out_channels, modes1, modes2
        scale = 1 / (in_channels * out_channels)
        self.weights1 = nn.Parameter(scale * torch.rand(in_channels, out_channels, modes1, modes2, dtype=torch.cfloat))
        self.weights2 = nn.Parameter(scale * torch.rand(in_channels, out_channels, modes1, modes2, dtype=torch.cfloat))

    def compl_mul2d(self, input, weights):
        return torch.einsum("bixy,ioxy->boxy", input, weights)

    def forward(self, x):
        batch = x.shape[0]
        x_ft = torch.fft.rfft2(x)
        out_ft = torch.zeros(batch, self.out_channels, x.size(-2), x.size(-1) // 2 + 1, dtype=torch.cfloat, device=x.device)
        out_ft[:, :, :self.modes1, :self.modes2] = self.compl_mul2d(x_ft[:, :, :self.modes1, :self.modes2], self.weights1)
        out_ft[:, :, -self.modes1:, :self.modes2] = self.compl_mul2d(x_ft[:, :, -self.modes1:, :self.modes2], self.weights2)
        return torch.fft.irfft2(out_ft, s=(x.size(-2), x.size(-1)))


class FNO(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.lift = nn.Conv2d(1, width, 1)
        self.spectral = SpectralConv2d(width, width, 3, 3)
        self.local = nn.Conv2d(width, width, 1)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        x = self.lift(x)
        return self.out(torch.nn.functional.gelu(self.spectral(x) + self.local(x)))


class FNetBlock(nn.Module):
    def forward(self, x):
        return torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real


class GlobalFilter(nn.Module):
    def __init__(self, dim, h=8, w=5):
        super().__init__()
        self.complex_weight = nn.Parameter(torch.randn(h, w, dim, 2) * 0.02)

    def forward(self, x):
        b, h, w, c = x.shape
        x = torch.fft.rfft2(x, dim=(1, 2), norm="ortho")
        weight = torch.view_as_complex(self.complex_weight)
        x = x * weight
        return torch.fft.irfft2(x, s=(h, w), dim=(1, 2), norm="ortho")


torch.manual_seed(0)
model = FNO()
x, y = torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-4)
for step in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print(model.spectral.weights1.grad.abs().sum(), model.spectral.weights1.detach()[0, 0, 0])

block = FNetBlock()
print(block(torch.randn(2, 6, 4))[0])
layer = GlobalFilter(3)
out = layer(torch.randn(2, 8, 8, 3))
out.square().sum().backward()
print(out.shape, out.abs().sum(), layer.complex_weight.grad.abs().sum())

# tolerance: 1e-4
# torch.fft: all transforms, with sizes, dimensions and norms; spectra, convolutions, gradients.
import torch

torch.manual_seed(0)
x = torch.randn(3, 8)
z = torch.randn(3, 8, dtype=torch.cfloat)
c = torch.randn(2, 4, 6, dtype=torch.cfloat)
r = torch.randn(2, 5, 6)


def show(t):
    t = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
    print(tuple(t.shape), t.flatten()[:6], t.abs().sum())


for f in (torch.fft.fft, torch.fft.ifft, torch.fft.rfft, torch.fft.irfft, torch.fft.hfft, torch.fft.ihfft):
    real = f in (torch.fft.rfft, torch.fft.ihfft)
    for norm in (None, "backward", "ortho", "forward"):
        show(f(x if real else z, norm=norm))
    for n in (5, 8, 9, 12, 1):
        show(f(x if real else z, n=n))
    show(f(x if real else z, dim=0))
    show(f(x if real else z, n=6, dim=-2, norm="ortho"))
show(torch.fft.fft(x))
show(torch.fft.ifft(x))
show(torch.fft.fft(torch.arange(5)))
show(torch.fft.irfft(x))
for f in (torch.fft.fft2, torch.fft.ifft2, torch.fft.irfft2, torch.fft.fftn, torch.fft.ifftn, torch.fft.irfftn, torch.fft.hfft2, torch.fft.hfftn):
    show(f(c))
    show(f(c, norm="ortho"))
    show(f(c, s=(3, 8)))
    show(f(c, dim=(0, 1)))
    show(f(c, s=(4, 4), dim=(2, 0)))
for f in (torch.fft.rfft2, torch.fft.rfftn, torch.fft.ihfft2, torch.fft.ihfftn):
    show(f(r))
    show(f(r, norm="forward"))
    show(f(r, s=(3, 8)))
    show(f(r, dim=(0, 1)))
    show(f(r, s=(-1, 7), dim=(1, 2)))
for n in (1, 2, 3, 4, 5, 6, 7, 11, 13, 16, 17, 30, 31, 60, 64, 97, 100, 128, 210, 1000, 1009):
    v = torch.randn(2, n, dtype=torch.cdouble)
    f = torch.fft.fft(v)
    show(f)
    print(torch.allclose(torch.fft.ifft(f), v), torch.allclose(torch.fft.irfft(torch.fft.rfft(v.real), n), v.real),
          torch.allclose(torch.fft.fft(v.real)[:, :n // 2 + 1], torch.fft.rfft(v.real)))
show(torch.fft.rfft(torch.randn(40, 20, dtype=torch.float64)))
show(torch.fft.irfft(torch.randn(41, 20, dtype=torch.cdouble)))
print(torch.fft.fft(x).dtype, torch.fft.rfft(x.double()).dtype, torch.fft.irfft(z).dtype)

print(torch.fft.fftfreq(5), torch.fft.fftfreq(4, 0.5), torch.fft.rfftfreq(5), torch.fft.rfftfreq(8, d=1 / 8), torch.fft.fftfreq(3, dtype=torch.float64))
print(torch.fft.fftshift(torch.arange(5)), torch.fft.ifftshift(torch.arange(5)), torch.fft.fftshift(torch.arange(12).view(3, 4)), torch.fft.fftshift(z, dim=1)[0])
print(torch.fft.ifftshift(torch.fft.fftshift(x)).equal(x), torch.fft.fftshift(torch.arange(12).view(3, 4), dim=(1,)))

# A spectrum
t = torch.arange(64) / 64
signal = torch.sin(2 * torch.pi * 5 * t) + 0.5 * torch.cos(2 * torch.pi * 12 * t)
power = torch.fft.rfft(signal).abs() ** 2
print(power.topk(2).indices, torch.fft.rfftfreq(64, 1 / 64)[power.argmax()])

# A convolution
a, b = torch.randn(10), torch.randn(4)
n = a.numel() + b.numel() - 1
by_fft = torch.fft.irfft(torch.fft.rfft(a, n) * torch.fft.rfft(b, n), n)
direct = torch.nn.functional.conv1d(a.view(1, 1, -1), b.flip(0).view(1, 1, -1), padding=3).view(-1)
print(torch.allclose(by_fft, direct, atol=1e-5))

# Gradients
for f, like in ((torch.fft.fft, z), (torch.fft.ifft, z), (torch.fft.rfft, x), (torch.fft.irfft, z), (torch.fft.hfft, z), (torch.fft.ihfft, x), (torch.fft.fft, x),
                (torch.fft.fft2, c), (torch.fft.rfft2, r), (torch.fft.irfft2, c), (lambda v: torch.fft.irfft(v, 9), z), (lambda v: torch.fft.rfft(v, 9), x),
                (lambda v: torch.fft.rfft(v, 5), x), (torch.fft.fftshift, x)):
    leaf = like.detach().clone().requires_grad_()
    out = f(leaf)
    out = torch.view_as_real(out.resolve_conj()) if out.is_complex() else out
    (out * torch.arange(out.numel()).view(out.shape) * 0.1).sum().backward()
    show(leaf.grad)

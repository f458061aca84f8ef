# tolerance: 1e-3
# torch.stft and istft, and the windows: spectrograms, signals back from them, gradients.
import warnings

import torch

warnings.filterwarnings("ignore")

torch.manual_seed(0)
x = torch.randn(2, 100)
for length in (1, 2, 7, 8):
    for periodic in (True, False):
        print(torch.hann_window(length, periodic), torch.hamming_window(length, periodic), torch.blackman_window(length, periodic),
              torch.bartlett_window(length, periodic))
print(torch.hann_window(4, dtype=torch.float64))


def show(t):
    t = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
    print(tuple(t.shape), t.flatten()[:6], t.abs().sum())


w = torch.hann_window(16)
show(torch.stft(x, 16, window=w, return_complex=True))
show(torch.stft(x[0], 16, hop_length=8, window=w, return_complex=True))
show(torch.stft(x, 16, 5, 12, torch.hamming_window(12), center=False, normalized=True, return_complex=True))
show(torch.stft(x, 16, window=w, onesided=False, return_complex=True))
show(torch.stft(x, 16, window=w, pad_mode="constant", return_complex=True))
show(torch.stft(x, 16, window=w, return_complex=False))
show(x.stft(20, return_complex=True, window=torch.ones(20)))
show(torch.stft(torch.randn(50, dtype=torch.cfloat), 8, window=torch.ones(8), center=False))
for n, hop, norm, center in ((16, 4, False, True), (16, 8, True, True), (10, 2, False, True)):
    s = torch.stft(x, n, hop, window=torch.hann_window(n), normalized=norm, center=center, return_complex=True)
    back = torch.istft(s, n, hop, window=torch.hann_window(n), normalized=norm, center=center, length=x.size(-1))
    print(tuple(back.shape), torch.allclose(back[:, :90], x[:, :90], atol=1e-4))
    show(torch.istft(s, n, hop, window=torch.hann_window(n), normalized=norm, center=center))
s = torch.stft(x[0], 16, window=w, onesided=False, return_complex=True)
show(torch.istft(s, 16, window=w, onesided=False))
leaf = x.clone().requires_grad_()
spectrogram = torch.stft(leaf, 16, window=w, return_complex=True).abs() ** 2
spectrogram.log1p().sum().backward()
show(leaf.grad)
for f in (lambda: torch.stft(x, 16), lambda: torch.istft(x, 16)):
    try:
        f()
    except (RuntimeError, TypeError) as e:
        print(e)

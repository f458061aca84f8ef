# tolerance: 1e-6
"""`numpy.fft`, and the arrays of complex numbers that it gives."""
import numpy as np
import torch

x = np.arange(6.0)
z = np.fft.fft(np.array([1.0, 2.0, 0.5, -1.0]))
print(repr(z), z, z[1], repr(z[1]), z.dtype, z.shape, z.ndim, z.size, len(z), type(z[1]).__name__)
print(np.fft.rfft(x.astype(np.float32)).dtype, np.fft.fftfreq(6, 0.5), np.fft.rfftfreq(5), np.fft.fftfreq(5))
print(repr(np.array([1 + 2j, 3])), repr(np.zeros(2, complex)), repr(np.ones((1, 2), dtype=np.complex64)), np.empty(3, np.complex128).shape)
print(np.exp(1j * x)[:2], (x * 1j)[:2], 2j + x[:2], x[:2] - 1j, 1 / (x[:2] + 1j), np.float64(2.0) * 1j)
print(np.abs(z), np.angle(z), z.real, z.imag, np.conj(z)[:2], z[:2] * 2, z[:2] / 4, (z * z.conj()).real, z.mean(), z.sum())
print(z == z, -z[:2], abs(z[1]), z[1].real, np.real(z)[:2], np.imag(z)[:2], (z**2)[:2], np.iscomplexobj(z), np.iscomplexobj(x), np.isrealobj(x))
print(z.tolist()[:2], z.astype(np.complex64)[:1], np.round(z, 1)[:2], repr(z.reshape(2, 2)), np.allclose(np.fft.ifft(z).real, [1, 2, 0.5, -1]))
print(np.allclose(np.fft.ifft(z), [1, 2, 0.5, -1]), np.angle(1j), np.angle(-1.0), np.angle([1j, -1], deg=True), z[::-1][:2], z[1:3].T.shape)
# The strongest frequency of a signal, and a filter.
rate = 64
t = np.arange(rate) / rate
signal = np.sin(2 * np.pi * 5 * t) + 0.5 * np.cos(2 * np.pi * 12 * t)
spectrum = np.fft.rfft(signal)
power = np.abs(spectrum) ** 2
frequencies = np.fft.rfftfreq(rate, d=1 / rate)
print(frequencies[np.argmax(power)], np.argsort(power)[-2:], np.round(power.sum(), 6))
spectrum[frequencies > 8] = 0
print(np.allclose(np.fft.irfft(spectrum), np.sin(2 * np.pi * 5 * t)), np.fft.irfft(spectrum, n=rate).shape)
image = np.arange(16.0).reshape(4, 4)
print(np.allclose(np.fft.ifft2(np.fft.fft2(image)).real, image), np.fft.fftshift(np.fft.fftfreq(4)), np.fft.ifftshift(np.arange(5)), np.fft.fftshift(image)[0])
print(np.fft.rfft2(image).shape, np.fft.fft(image, axis=0).shape, np.abs(np.fft.fft(x, n=8, norm="ortho")).round(4), np.fft.fftn(image).shape)
kernel = np.array([0.25, 0.5, 0.25])
print(np.allclose(np.fft.irfft(np.fft.rfft(signal, 66) * np.fft.rfft(kernel, 66), 66), np.convolve(signal, kernel)))


def own_fft(a):
    n = len(a)
    if n <= 1:
        return a
    even, odd = own_fft(a[::2]), own_fft(a[1::2])
    turn = np.array([np.exp(-2j * np.pi * k / n) for k in range(n // 2)]) * np.array(odd)
    return np.array([even[k] + turn[k] for k in range(n // 2)] + [even[k] - turn[k] for k in range(n // 2)])


print(np.allclose(own_fft([complex(v) for v in range(8)]), np.fft.fft(np.arange(8))))
for call in (lambda: np.fft.rfft(z), lambda: np.floor(z)):
    try:
        print(call())
    except TypeError as error:
        print("TypeError")

"""Spectra of what goes on in time: a transform of each of the overlapping pieces of a signal, and back.

    torch.stft(x, 256, window=torch.hann_window(256), return_complex=True)      (..., frequencies, pieces)

Also the windows that such pieces are multiplied with.
"""
import math

import torch
import torch.nn.functional as F


def _window(window, win_length, n_fft, like):
    """The window, with zeros on both sides up to the length of the transform."""
    if window is None:
        window = torch.ones(win_length, dtype=like.dtype, device=like.device)
    left = (n_fft - win_length) // 2
    return F.pad(window, (left, n_fft - win_length - left))


def _check(name, n_fft, hop_length, win_length, window):
    if not 0 < win_length <= n_fft:
        raise RuntimeError(f"{name}: expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if hop_length <= 0:
        raise RuntimeError(f"{name}: expected hop_length > 0, but got hop_length={hop_length}")
    if window is not None and (window.dim() != 1 or window.size(0) != win_length):
        raise RuntimeError(f"{name}: expected a 1D window tensor of size equal to win_length={win_length}, but got "
                           f"window with size {list(window.shape)}")


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
         normalized=False, onesided=None, return_complex=None, align_to_window=None):
    """The transforms of overlapping pieces of a signal, along a new last dimension."""
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if return_complex is None and not input.is_complex():
        raise RuntimeError("stft requires the return_complex parameter be given for real inputs, and will further "
                           "require that return_complex=True in a future PyTorch release.")
    if input.dim() not in (1, 2):
        raise RuntimeError("stft: expected a 1D or 2D tensor")
    _check("stft", n_fft, hop_length, win_length, window)
    rows = input.unsqueeze(0) if input.dim() == 1 else input
    if center:
        half = n_fft // 2
        rows = F.pad(rows.unsqueeze(0), (half, half), pad_mode).squeeze(0)
    if rows.size(-1) < n_fft:
        raise RuntimeError(f"stft: expected 0 < n_fft <= {rows.size(-1)}, but got n_fft={n_fft}")
    onesided = not input.is_complex() if onesided is None else onesided
    if onesided and input.is_complex():
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    pieces = _pieces(rows, n_fft, hop_length) * _window(window, win_length, n_fft, rows.real)
    transform = torch.fft.rfft if onesided else torch.fft.fft
    out = transform(pieces, norm="ortho" if normalized else None).transpose(1, 2)
    out = out.squeeze(0) if input.dim() == 1 else out
    return out if return_complex is not False else torch.view_as_real(out)


def _pieces(rows, size, step):
    """(rows, pieces, size)"""
    if not rows.is_complex():
        return rows.unfold(-1, size, step)
    return torch.complex(_pieces(rows.real, size, step), _pieces(rows.imag, size, step))


def _overlapped(pieces, hop_length):
    """The sum of pieces, each so much behind the one before: (rows, pieces, size) to (rows, length)."""
    count, size = pieces.shape[1:]
    length = size + hop_length * (count - 1)
    return F.fold(pieces.transpose(1, 2), (1, length), (1, size), stride=(1, hop_length)).flatten(1)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    """The signal that has these transforms of its pieces: the way back from `stft`."""
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if not input.is_complex():
        raise TypeError("istft requires a complex-valued input tensor matching the output from stft with "
                        "return_complex=True.")
    _check("istft", n_fft, hop_length, win_length, window)
    spectra = input.unsqueeze(0) if input.dim() == 2 else input
    onesided = spectra.size(1) != n_fft if onesided is None else onesided
    if return_complex and onesided:
        raise RuntimeError("complex output is not compatible with onesided input")
    expected = n_fft // 2 + 1 if onesided else n_fft
    if spectra.size(1) != expected:
        raise RuntimeError("istft: expected the frequency dimension (3rd to the last) of the input tensor to match "
                           f"{'n_fft / 2 + 1' if onesided else 'n_fft'}, got {spectra.size(1)}")
    norm = "ortho" if normalized else None
    spectra = spectra.transpose(1, 2)
    window = _window(window, win_length, n_fft, spectra.real)
    if return_complex:
        pieces = torch.fft.ifft(spectra, norm=norm) * window
        signal = torch.complex(_overlapped(pieces.real, hop_length), _overlapped(pieces.imag, hop_length))
    else:
        pieces = torch.fft.irfft(spectra, n_fft, norm=norm) if onesided else torch.fft.ifft(spectra, norm=norm).real
        signal = _overlapped(pieces * window, hop_length)
    weights = _overlapped((window * window).expand(1, pieces.size(1), n_fft), hop_length)
    total = signal.size(-1)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - start if center else total
    signal, weights = signal[:, start:min(end, total)], weights[:, start:min(end, total)]
    least = weights.abs().min()
    if least <= 1e-11:
        raise RuntimeError(f"istft(CPUFloatType) window overlap add min: {int(least > 1e-11)}")
    signal = signal / weights
    if end > total:
        signal = F.pad(signal, (0, end - total))
    return signal.squeeze(0) if input.dim() == 2 else signal

"""The frequencies that the results of transforms stand for, and orders of them with 0 in the middle."""
import torch


def fftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    """The frequencies of `fft` of n samples with the distance d: 0 and up, then the negative ones."""
    number = torch.arange(n, dtype=dtype or torch.get_default_dtype(), device=device)
    return _made(torch.where(number < (n + 1) // 2, number, number - n) * (1.0 / (n * d)), out, requires_grad)


def rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    """The frequencies of `rfft`, 0 and up."""
    number = torch.arange(n // 2 + 1, dtype=dtype or torch.get_default_dtype(), device=device)
    return _made(number * (1.0 / (n * d)), out, requires_grad)


def _made(frequencies, out, requires_grad):
    if out is not None:
        return out.resize_(frequencies.shape).copy_(frequencies)
    return frequencies.requires_grad_() if requires_grad else frequencies


def _dims(input, dim):
    if dim is None:
        return list(range(input.dim()))
    return [dim] if isinstance(dim, int) else list(dim)


def fftshift(input, dim=None):
    """With the frequency 0 in the middle."""
    dims = _dims(input, dim)
    return torch.roll(input, [input.size(each) // 2 for each in dims], dims)


def ifftshift(input, dim=None):
    """The way back from `fftshift`."""
    dims = _dims(input, dim)
    return torch.roll(input, [(input.size(each) + 1) // 2 for each in dims], dims)

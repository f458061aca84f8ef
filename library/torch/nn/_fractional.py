"""Max pooling with windows at random places, so that a size shrinks by any ratio (Graham, 2014)."""
import torch


def _begins(samples, size, output_size, kernel):
    """Where the windows begin along a dimension: as far apart as it takes, shifted by the sample."""
    if output_size == 1:
        return torch.full((*samples.shape, 1), size - kernel, dtype=torch.int64, device=samples.device)
    ratio = (size - kernel) / (output_size - 1)
    steps = torch.arange(output_size, device=samples.device, dtype=samples.dtype)
    samples = samples.unsqueeze(-1)
    begins = ((steps + samples) * ratio).long() - (samples * ratio).long()
    begins[..., -1] = size - kernel
    return begins


def _sizes(value, count):
    return (value,) * count if isinstance(value, (int, float)) else tuple(value)


def _pool(input, kernel_size, output_size, output_ratio, samples, count, name):
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    is_batch = input.dim() == count + 2
    batch = input if is_batch else input.unsqueeze(0)
    sizes, kernel = batch.shape[2:], _sizes(kernel_size, count)
    if output_size is None:
        wanted = [int(size * ratio) for size, ratio in zip(sizes, _sizes(output_ratio, count))]
    else:
        wanted = _sizes(output_size, count)
    if samples is None:
        samples = torch.rand(batch.size(0), batch.size(1), count, dtype=input.dtype, device=input.device)
    # A place in the example for each output and each place of its window, one dimension after the other. The
    # samples name the dimensions from the last one on.
    places = torch.zeros([*batch.shape[:2]] + [1] * (2 * count), dtype=torch.int64, device=input.device)
    for dim in range(count):
        begins = _begins(samples[..., count - 1 - dim], sizes[dim], wanted[dim], kernel[dim])
        inside = begins.unsqueeze(-1) + torch.arange(kernel[dim], device=input.device)
        shape = [*batch.shape[:2]] + [1] * (2 * count)
        shape[2 + dim], shape[2 + count + dim] = wanted[dim], kernel[dim]
        places = places * sizes[dim] + inside.reshape(shape)
    windows = places.flatten(2 + count)
    found = batch.flatten(2).gather(2, windows.flatten(2)).reshape(windows.shape)
    best, chosen = found.max(-1)
    where = windows.gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
    return (best, where) if is_batch else (best.squeeze(0), where.squeeze(0))


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The greatest element of each window, and where it is."""
    return _pool(input, kernel_size, output_size, output_ratio, _random_samples, 2, "fractional_max_pool2d")


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The greatest element of each window, and where it is."""
    return _pool(input, kernel_size, output_size, output_ratio, _random_samples, 3, "fractional_max_pool3d")


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The greatest element of each of so many windows at random places."""
    found = fractional_max_pool2d_with_indices(input, kernel_size, output_size, output_ratio, False, _random_samples)
    return found if return_indices else found[0]


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The greatest element of each of so many windows at random places."""
    found = fractional_max_pool3d_with_indices(input, kernel_size, output_size, output_ratio, False, _random_samples)
    return found if return_indices else found[0]

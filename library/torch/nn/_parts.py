"""A dimension in so many parts of about equal size, which may overlap: what adaptive pooling goes over.

    places_of_parts(5, 3, "cpu")     [[0, 1, 1], [1, 2, 3], [3, 4, 4]]
    means_of_parts(x, [3, 2], 2)     the mean of each of six parts of an image

Part i of n goes from `i * size // n` up to the next one's begin, rounded up. Lengths differ by one at
most; short parts say their last element again.
"""
import torch


def places_of_parts(size, wanted, device):
    """Where the elements of each part stand, a row for each."""
    part = torch.arange(wanted, device=device)
    first, last = part * size // wanted, ((part + 1) * size + wanted - 1) // wanted - 1
    longest = max([-(-(i + 1) * size // wanted) - i * size // wanted for i in range(wanted)])
    places = first.unsqueeze(1) + torch.arange(longest, device=device)
    return torch.minimum(places, last.unsqueeze(1))


def means_of_parts(input, sizes, count):
    """The mean of each part: sums, a dimension after the other, and then the division."""
    first = input.dim() - count
    if 0 in sizes:
        return input.new_zeros(list(input.shape[:first]) + sizes)
    if all([wanted == 1 for wanted in sizes]):
        return input.mean(tuple(range(first, first + count)), keepdim=True)
    if sizes == list(input.shape[first:]):
        return input.clone()
    dtype = torch.float64 if input.dtype == torch.float64 else torch.float32
    result, lengths = input.to(dtype), []
    for i, wanted in enumerate(sizes):
        if wanted != input.size(first + i):
            result, length = _sums_along(result, first + i, wanted)
            lengths.append(length)
    for length in lengths:
        if not isinstance(length, int):  # division by short rows is slow
            length = length.expand(result.shape).contiguous()
        result = result / length
    return result.to(input.dtype)


def _sums_along(input, dim, wanted):
    """And how long the parts are. What is said twice counts half: with no weight at all it would
    make a NaN of what is infinite."""
    size = input.size(dim)
    places = places_of_parts(size, wanted, input.device)
    if size % wanted == 0:
        weights = torch.ones(places.shape, dtype=input.dtype, device=input.device)
        return torch._resample(input, places, weights, dim), size // wanted
    repeats = (places == places[:, -1:]).sum(1, keepdim=True)
    weights = torch.where(places == places[:, -1:], 1 / repeats, 1.0).to(input.dtype)
    sums = torch._resample(input, places, weights, dim)
    lengths = (places[:, -1] - places[:, 0] + 1).to(input.dtype)
    return sums, lengths.reshape([-1] + [1] * (input.dim() - 1 - dim))

"""Pooling to a size that is given: the greatest of each part, and the mean of a volume's.

    adaptive_max_pool2d(x, 7)      49 parts of an image, whatever its size; parts may overlap

What the parts are: _parts.py. The greatest is found along one dimension after the other, the last one
first: of equal elements it is then the first of the part, which is also the one that the gradient
goes to.
"""
import torch
from torch._output import scalar_name
from torch.nn._parts import means_of_parts, places_of_parts

_DIMENSIONS = {2: "3D or 4D", 3: "4D or 5D"}


def _check(function, input, count, wanted):
    shape = list(input.shape)
    if count == 1 and input.dim() not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor "
                           f"for argument #1 'self' (while checking arguments for {function})")
    if input.dim() not in (count + 1, count + 2):
        colon = "" if "avg" in function else ":"
        raise RuntimeError(f"{function}(): Expected {_DIMENSIONS[count]} tensor, but got{colon} "
                           f"{shape}")
    for dim in range(input.dim() - count - (input.dim() == count + 2), input.dim()):
        if dim > 0 and shape[dim] == 0:
            raise RuntimeError(f"{function}(): Expected input to have non-zero size for non-batch "
                               f"dimensions, but input has sizes {shape} with dimension {dim} "
                               "being empty")
    if min(wanted) < 0:
        sizes = shape[:-count] + ([1] if count == 1 else []) + wanted
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(wanted)}: {sizes}")
    if not input.is_floating_point():
        name = {1: "adaptive_max_pool2d", 2: "adaptive_max_pool2d", 3: f"{function}_cpu"}[count]
        raise NotImplementedError(f'"{name}" not implemented for \'{scalar_name(input)}\'')


def _wanted(function, input, output_size, count):
    sizes = [output_size] * count if isinstance(output_size, int) else list(output_size)
    if not isinstance(output_size, int) and 1 < count and input.dim() <= len(sizes):
        raise ValueError(f"Input dimension should be at least {len(sizes) + 1}")
    if len(sizes) != count:
        if count == 1:
            raise RuntimeError(f"{function}() argument 'output_size' should contain one int "
                               f"(got {len(sizes)})")
        if "avg" in function:
            raise RuntimeError(f"{function}: output_size must be {count}")
        raise RuntimeError(f"{function}(): internal error: output_size.size() must be {count}")
    if count == 1 and sizes[0] is None:
        raise TypeError(f"{function}(): argument 'output_size' (position 2) must be tuple of ints, "
                        "but found element of type NoneType at pos 0")
    given = input.shape[-count:]
    return [size if wanted is None else wanted for size, wanted in zip(given, sizes)]


def _parts(input, dim, wanted):
    """The dimension as parts, and where each element of a part stands."""
    places = places_of_parts(input.size(dim), wanted, input.device)
    chosen = input.index_select(dim, places.reshape(-1))
    return chosen.unflatten(dim, places.shape), places


def _greatest(function, count, input, output_size, return_indices):
    wanted = _wanted(function, input, output_size, count)
    _check(function, input, count, wanted)
    if 0 in wanted or input.numel() == 0:
        result = input.new_zeros(list(input.shape[:-count]) + wanted)
        return (result, result.long()) if return_indices else result
    parts = [size // each for size, each in zip(input.shape[-count:], wanted)]
    if [part * each for part, each in zip(parts, wanted)] == list(input.shape[-count:]):
        found = torch._max_pool(input, parts, parts, [0] * count, [0] * count, [1] * count)
        return (found[0], found[1]) if return_indices else found[0]
    indices, step = None, 1
    for back in range(1, count + 1):
        dim, size = input.dim() - back, input.size(-back)
        parts, places = _parts(input, dim, wanted[-back])
        input, chosen = parts.max(dim + 1)
        if return_indices:
            indices = _followed(indices, chosen, places, dim, step)
            step *= size
    return (input, indices) if return_indices else input


def _followed(indices, chosen, places, dim, step):
    """The place in the input of each greatest element: in this dimension, and of it in the inner
    ones."""
    shape = [1] * chosen.dim()
    shape[dim] = places.size(0)
    longest = places.size(1)
    row = torch.arange(places.size(0), device=places.device).view(shape) * longest
    here = places.reshape(-1)[row + chosen]
    return here if indices is None else here * step + indices.gather(dim, here)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The greatest element of each of so many parts."""
    return _greatest("adaptive_max_pool1d", 1, input, output_size, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The greatest element of each of so many parts."""
    return _greatest("adaptive_max_pool2d", 2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The greatest element of each of so many parts."""
    return _greatest("adaptive_max_pool3d", 3, input, output_size, return_indices)


def adaptive_avg_pool3d(input, output_size):
    """The mean of each of so many parts."""
    wanted = _wanted("adaptive_avg_pool3d", input, output_size, 3)
    if min(wanted) < 0:
        raise RuntimeError("adaptive_avg_pool3d: elements of output_size must be greater than or "
                           f"equal to 0 but received {{{wanted[0]}, {wanted[1]},{wanted[2]}}}")
    if wanted != [1, 1, 1]:
        _check("adaptive_avg_pool3d", input, 3, wanted)
    return means_of_parts(input, wanted, 3)

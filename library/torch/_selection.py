"""Functions whose sizes depend on values, and those that pick and place elements.

    unique(torch.tensor([3, 1, 3]), return_counts=True)    # tensor([1, 3]), tensor([1, 2])

They are made of operators; where a size depends on values, the values are looked at, so that a
region ends there. Methods of tensors by the same names come here as well.
"""
import math
import torch
from torch import _native
from torch._output import cpp_name, scalar_name, write


def _runs(ordered):
    """Where a vector, or its rows, have another value than just before: a mask, the first in it."""
    first = torch.ones(1, dtype=torch.bool, device=ordered.device)
    differs = ordered[1:] != ordered[:-1]
    return torch.cat([first, differs.flatten(1).any(1) if differs.dim() > 1 else differs])


def _answers(values, inverse, counts, return_inverse, return_counts):
    result = (values,)
    if return_inverse:
        result += (inverse,)
    if return_counts:
        result += (counts,)
    return result if len(result) > 1 else values


def _without_derivative(node, operator, input, answers):
    """The first answer depends on the input in a way that nobody differentiates."""
    if not (torch.is_grad_enabled() and input.requires_grad):
        return answers

    def refuse(saved, gradients):
        raise NotImplementedError(f"the derivative for '{operator}' is not implemented.")

    many = isinstance(answers, tuple)
    values, = _native.record_function(node, refuse, (input,), (answers[0] if many else answers,),
                                      (), (), (), False)
    return (values,) + answers[1:] if many else values


def _unique_flat(input, return_inverse, return_counts):
    flat = input.detach().reshape(-1)
    if flat.numel() == 0:
        empty = torch.zeros(0, dtype=torch.int64, device=flat.device)
        return _answers(flat.clone(), empty.reshape(input.shape), empty, return_inverse,
                        return_counts)
    ordered, order = flat.sort(stable=True)
    new = _runs(ordered)
    number = new.long().cumsum(0) - 1
    inverse = torch.empty_like(number)
    inverse[order] = number
    return _answers(ordered[new], inverse.reshape(input.shape), torch.bincount(number),
                    return_inverse, return_counts)


def _unique_rows(input, dim, return_inverse, return_counts):
    rows = input.detach().transpose(0, dim).contiguous()
    keys = [tuple(row) for row in rows.reshape(rows.shape[0], -1).tolist()]
    first = {}
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    ordered = sorted(first)
    number = {key: i for i, key in enumerate(ordered)}
    inverse = torch.tensor([number[key] for key in keys], device=rows.device)
    places = torch.tensor([first[key] for key in ordered], device=rows.device)
    values = rows[places].transpose(0, dim)
    return _answers(values, inverse, torch.bincount(inverse), return_inverse, return_counts)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different values, in order; of rows with `dim`."""
    for name, flag in (("sorted", sorted), ("return_inverse", return_inverse), ("return_counts", return_counts)):
        if not isinstance(flag, bool):
            function = "_unique2" if dim is None else "unique_dim"
            raise TypeError(f"{function}(): argument '{name}' must be bool, not {type(flag).__name__}")
    if dim is None:
        return _without_derivative("Unique2Backward0", "_unique2", input,
                                   _unique_flat(input, return_inverse, return_counts))
    return _without_derivative("UniqueDimBackward0", "unique_dim", input,
                               _unique_rows(input, dim, return_inverse, return_counts))


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The values without repetitions of a neighbour."""
    rows = input.detach().reshape(-1) if dim is None else input.detach().transpose(0, dim)
    if rows.numel():
        new = _runs(rows)
    else:
        new = torch.arange(rows.size(0), device=rows.device) < 1
    number = new.long().cumsum(0) - 1
    counts = torch.bincount(number) if return_counts else None
    values = rows[new] if dim is None else rows[new].transpose(0, dim)
    places = number.reshape(input.shape) if dim is None else number
    answers = _answers(values, places, counts, return_inverse, return_counts)
    return _without_derivative("UniqueConsecutiveBackward0", "unique_consecutive", input, answers)


def _histogram_range(flat, low, high):
    """From where to where elements are counted: what is given, else what there is."""
    found = low == high and flat.numel() > 0
    if found:
        low, high = float(flat.min()), float(flat.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        # Vectors of processors find a NaN with its sign set, which C++ prints.
        sign = "-" if found and math.isnan(low) else ""
        raise RuntimeError(f"torch.histc: range of [{sign}{low:g}, {sign}{high:g}] is not finite")
    return (low, high) if low != high else (low - 1.0, high + 1.0)


def histc(input, bins=100, min=0, max=0, *, out=None):
    """How many elements each of `bins` equal ranges has."""
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    if not input.is_floating_point():
        function = "linspace_cpu" if input.dtype == torch.bool else "histogram_cpu"
        raise NotImplementedError(f"\"{function}\" not implemented for '{scalar_name(input)}'")
    flat = input.detach().reshape(-1)
    low, high = _histogram_range(flat, float(min), float(max))
    inside = flat[(flat >= low) & (flat <= high)]
    place = ((inside - low) / (high - low) * bins).long().clamp(max=bins - 1)
    counts = torch.bincount(place, minlength=bins).to(input.dtype)
    if out is None:
        return counts
    return write(out, counts, "torch.histogram: input tensor and hist tensor should have the same "
                 f"dtype, but got input {cpp_name(input.dtype)} and hist {cpp_name(out.dtype)}")


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """The rows of `weight` by their indices."""
    return torch.nn.functional.embedding(indices, weight)


def take_along_dim(input, indices, dim=None, *, out=None):
    """Elements by their indices along a dimension."""
    if dim is None:
        input, indices, dim = input.reshape(-1), indices.reshape(-1), 0
    if input.dim() != indices.dim():
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {input.dim()} dimensions for input, and {indices.dim()} dimensions for indices"
        )
    if out is None:
        return input.gather(dim, indices)
    if out.dtype != input.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {cpp_name(input.dtype)}, but got "
                           f"{cpp_name(out.dtype)} instead")
    return torch.gather(input, dim, indices, out=out)


def _need_vector(tensor):
    if tensor.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(tensor.shape)}")


def cartesian_prod(*tensors):
    """All tuples with one element of each tensor, a row each."""
    for each in tensors:
        _need_vector(each)
    if len(tensors) == 1:
        return tensors[0]
    grids = torch.meshgrid(*tensors, indexing="ij")
    return torch.stack([grid.reshape(-1) for grid in grids], 1)


def combinations(input, r=2, with_replacement=False):
    """All choices of `r` elements, a row each."""
    _need_vector(input)
    import itertools
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = list(choose(range(input.numel()), r))
    if not places:
        return torch.empty((0, r), dtype=input.dtype, device=input.device)
    return input[torch.tensor(places, device=input.device)]


def _found_in_order(elements, others):
    """Whether each is among the others, looked up in their order."""
    dtype = torch.promote_types(elements.dtype, others.dtype)
    elements, ordered = elements.to(dtype), others.to(dtype).reshape(-1).sort()[0]
    # NaN stands last, but compares with nothing that is searched for.
    rising = ordered.where(ordered == ordered, math.inf) if dtype.is_floating_point else ordered
    places = torch.searchsorted(rising, elements).clamp(max=ordered.numel() - 1)
    return ordered[places] == elements


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Whether elements are among others."""
    if not isinstance(test_elements, torch.Tensor):
        test_elements = torch.tensor(test_elements, device=elements.device)
    if not isinstance(elements, torch.Tensor):
        elements = torch.tensor(elements, device=test_elements.device)
    for each in (elements, test_elements):
        if each.dtype == torch.bool or each.is_complex():
            raise NotImplementedError("Unsupported input type encountered for isin(): "
                                      f"{scalar_name(each)}")
    if test_elements.numel() <= 16:
        found = (elements.unsqueeze(-1) == test_elements.reshape(-1)).any(-1)
    else:
        found = _found_in_order(elements, test_elements)
    return ~found if invert else found


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Differences of neighbours, `n` times."""
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    parts = [part for part in (prepend, input, append) if part is not None]
    result = torch.cat(parts, dim) if len(parts) > 1 else input
    for _ in range(n):
        size = result.size(dim)
        count = max(size - 1, 0)
        later, earlier = result.narrow(dim, size - count, count), result.narrow(dim, 0, count)
        result = later ^ earlier if result.dtype == torch.bool else later - earlier
    return result


def tensor_split(input, indices_or_sections, dim=0):
    """Parts of about equal size, or parts that end at given places."""
    size = input.size(dim)
    if isinstance(indices_or_sections, int):
        each, longer = divmod(size, indices_or_sections)
        bounds = [i * each + min(i, longer) for i in range(indices_or_sections + 1)]
    else:
        bounds = [0] + [min(i, size) for i in indices_or_sections] + [size]
    return tuple([input.narrow(dim, low, max(high - low, 0))
                  for low, high in zip(bounds, bounds[1:])])


def diag(input, diagonal=0):
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if input.dim() == 2:
        return torch._diagonal_copy(input, diagonal)
    if input.dim() != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
    return torch.diag_embed(input, diagonal)


def median(input, dim=None, keepdim=False):
    """The lower one of two in the middle; NaN where there is one."""
    if input.dtype == torch.bool:
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    if dim is None:
        return torch._median_all(input, (input.numel() - 1) // 2)
    size = input.size(dim) if input.dim() else 1
    return torch._median_along(input, dim, keepdim, (size - 1) // 2)


def inner(input, other):
    """Products summed over the last dimension of both."""
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    if other.dim() > 2:
        raise NotImplementedError("inner() takes a second tensor of at most 2 dimensions here")
    product = input @ (other.t() if other.dim() == 2 else other)
    return product.view(product.shape)

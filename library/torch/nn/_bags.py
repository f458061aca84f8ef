"""Rows of a table, a sum or a mean or the greatest of each bag of them.

    embedding_bag(torch.tensor([0, 2, 1]), table, torch.tensor([0, 2]))    means of rows 0, 2 and of 1
    embedding_bag(torch.tensor([[0, 2], [1, 1]]), table, mode="sum")       a bag for each row

Each element knows its bag, by where the bags begin; rows of one bag are added at one place.
"""
import torch

_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False,
                  mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False,
                  padding_idx=None):
    """The mean, the sum or the greatest of rows of a table, for each bag of indices."""
    _check_shapes(input, weight, offsets, per_sample_weights)
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedError("max_norm, scale_grad_by_freq and sparse are not available")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
            f"for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    _check_kinds(input, weight, offsets, per_sample_weights)
    padding_idx = _padding_row(weight, padding_idx)
    if input.dim() == 1 and offsets.size(0) == 0 and not include_last_offset:
        return weight.new_zeros((0, weight.size(1)))
    bags, count = _bags(input, offsets, include_last_offset)
    indices = input.reshape(-1)
    if not torch.compiler.is_compiling():
        _check_indices(indices, weight.size(0))
    kept = None if padding_idx is None else indices != padding_idx
    rows = torch.nn.functional.embedding(indices, weight)
    if mode == "max":
        return _greatest(rows, bags, count, kept)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    if kept is not None:
        rows = rows.masked_fill(~kept.unsqueeze(1), 0)
    sums = rows.new_zeros((count, rows.size(1))).index_add(0, bags, rows)
    if mode == "sum":
        return sums
    ones = torch.ones_like(indices) if kept is None else kept.long()
    sizes = torch.zeros(count, dtype=ones.dtype, device=ones.device).index_add(0, bags, ones)
    return sums / sizes.clamp_min(1).unsqueeze(1)


def _check_shapes(input, weight, offsets, per_sample_weights):
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not "
                         f"None, then it must have the same shape as the input ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a "
                             "mini-batch of fixed length sequences. However, found offsets of type "
                             f"{type(offsets)}")
        if input.size(1) == 0:
            raise RuntimeError("step must be nonzero")
    elif input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension "
                         f"{input.dim()}")
    elif offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    elif offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")


def _check_kinds(input, weight, offsets, per_sample_weights):
    for given in (input, offsets):
        if given is not None and given.dtype not in (torch.int64, torch.int32):
            raise RuntimeError("Expected tensor for argument #1 'indices' to have one of the "
                               f"following scalar types: Long, Int; but got {given.type()} instead "
                               "(while checking arguments for embedding_bag)")
    if weight.dtype not in _FLOATS:
        raise RuntimeError("Expected tensor for argument #1 'weight' to have one of the following "
                           f"scalar types: Half, BFloat16, Float, Double; but got {weight.type()} "
                           "instead (while checking arguments for embedding_bag)")
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        raise RuntimeError("Expected tensor for argument #1 'weight' to have the same type as "
                           "tensor for argument #1 'per_sample_weights'; but type "
                           f"{weight.type()} does not equal {per_sample_weights.type()} (while "
                           "checking arguments for embedding_bag)")


def _padding_row(weight, padding_idx):
    if padding_idx is None:
        return None
    rows = weight.size(0)
    if not -rows <= padding_idx < rows:
        raise RuntimeError("padding_idx must be within the number of embeddings, "
                           f"{-rows} through {rows - 1}, but got {padding_idx}")
    return padding_idx % rows


def _check_indices(indices, rows):
    outside = (indices < 0) | (indices >= rows)
    if outside.any():
        place = outside.long().argmax().item()
        raise RuntimeError(f"Index {place} of input takes value {indices[place].item()} which is "
                           f"not in the valid range [0, {rows})")


def _bags(input, offsets, include_last_offset):
    """The bag of each element, and how many bags there are."""
    places = torch.arange(input.numel(), device=input.device)
    if offsets is None:
        return places // input.size(1), input.size(0)
    count = offsets.size(0)
    if include_last_offset:
        if count == 0:
            raise RuntimeError("include_last_offset: number of offset should be at least 1")
        count -= 1
    if not torch.compiler.is_compiling():
        _check_offsets(offsets, input.size(0))
    else:
        # No value is read, which would be a graph break. Operators refuse what is wrong, and the call
        # is made again eagerly, which says what: here a bag that begins behind the end, or before the
        # one in front of it, in `index_add` bag -1, of what stands before the first one.
        known = torch.arange(input.size(0) + 1, device=input.device)
        known.index_select(0, offsets)
        known.index_select(0, offsets[1:] - offsets[:-1])
    return torch.searchsorted(offsets[:count], places.to(offsets.dtype), right=True) - 1, count


def _check_offsets(offsets, size):
    if offsets.numel() == 0:
        return
    first, last = offsets[0].item(), offsets[-1].item()
    if first != 0:
        raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has "
                           f"to start from position 0. However, got {first}")
    if last > size:
        raise RuntimeError(f"offsets[-1] can not be greater than input's length {size} but got "
                           f"offsets[-1] of {last}")
    if (offsets[1:] < offsets[:-1]).any().item():
        raise RuntimeError("offsets may not decrease: each bag begins where the one before it ends")


def _greatest(rows, bags, count, kept):
    """By element the first of the greatest in each bag, to which alone the gradient goes; 0 where
    there is none."""
    size = rows.size(0)
    if size == 0:
        return rows.new_zeros((count, rows.size(1)))
    seen = rows.detach()
    if kept is not None:
        seen = seen.masked_fill(~kept.unsqueeze(1), -torch.inf)
    where = bags.unsqueeze(1).expand_as(seen)
    lowest = torch.full((count, rows.size(1)), -torch.inf, dtype=rows.dtype, device=rows.device)
    top = lowest.scatter_reduce(0, where, seen, "amax")
    is_top = seen == top.gather(0, where)
    if kept is not None:
        is_top = is_top & kept.unsqueeze(1)
    places = torch.arange(size, device=rows.device).unsqueeze(1).expand_as(seen)
    nowhere = torch.full_like(top, size, dtype=torch.int64)
    first = nowhere.scatter_reduce(0, where, torch.where(is_top, places, size), "amin")
    chosen = rows.gather(0, first.clamp_max(size - 1))
    return torch.where(first < size, chosen, 0.0)

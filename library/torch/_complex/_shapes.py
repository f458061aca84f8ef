"""Complex tensors laid out anew: what is done to the tensor of pairs, whose last dimension stays.

    z.transpose(0, 1)        z._pairs.transpose(0, 1)
    z.reshape(4, -1)         z._pairs.reshape(4, -1, 2)
"""
import torch
from torch._complex._tensor import Tensor, as_complex, wrap, wrap_dim


def _sizes(given):
    """Sizes as one list or as several ints."""
    return list(given[0]) if len(given) == 1 and not isinstance(given[0], int) else list(given)


def _known(input, sizes):
    """With the size that is -1 worked out, which the pairs would hide."""
    if -1 not in sizes:
        return sizes
    rest = 1
    for size in sizes:
        if size != -1:
            rest *= size
    if sizes.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if rest == 0 or input.nelement() % rest:
        raise RuntimeError(f"shape '{sizes}' is invalid for input of size {input.nelement()}")
    return [input.nelement() // rest if size == -1 else size for size in sizes]


def _checked(input, sizes):
    sizes = _known(input, sizes)
    count = 1
    for size in sizes:
        count *= size
    if count != input.nelement():
        raise RuntimeError(f"shape '{sizes}' is invalid for input of size {input.nelement()}")
    return sizes


def view(input, *shape, dtype=None):
    given = dtype if dtype is not None else shape[0] if len(shape) == 1 else None
    if isinstance(given, torch.dtype):
        return _view_of_dtype(input, given)
    return wrap(input._pairs.view(*_checked(input, _sizes(shape)), 2))


def _view_of_dtype(input, dtype):
    if not isinstance(input, Tensor):
        pairs = input.view(dtype.to_real()) if input.dtype != dtype.to_real() else input
        if pairs.shape[-1] % 2:
            raise RuntimeError("self.size(-1) must be divisible by 2 to view "
                               f"{input.dtype} as {dtype} (different element sizes), but got {pairs.shape[-1]}")
        return wrap(pairs.unflatten(-1, (pairs.shape[-1] // 2, 2)))
    if dtype is input.dtype:
        return wrap(input._pairs.view(input._pairs.shape))
    if dtype is input._pairs.dtype:
        return input._pairs.flatten(-2)
    raise RuntimeError(f"a view of {input.dtype} as {dtype} is not there")


def reshape(input, *shape):
    return wrap(input._pairs.reshape(*_checked(input, _sizes(shape)), 2))


def view_as(input, other):
    return view(input, *other.shape)


def reshape_as(input, other):
    return reshape(input, *other.shape)


def ravel(input):
    return reshape(input, -1)


def permute(input, *dims):
    rank = input.dim()
    order = [wrap_dim(dim, rank) for dim in _sizes(dims)]
    if len(order) != rank:
        raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the length "
                           f"of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to "
                           f"len(dims) = {len(order)}")
    return wrap(input._pairs.permute(*order, rank))


def transpose(input, dim0, dim1):
    rank = input.dim()
    return wrap(input._pairs.transpose(wrap_dim(dim0, rank), wrap_dim(dim1, rank)))


swapaxes = transpose


def t(input):
    return input if input.dim() < 2 else transpose(input, 0, 1)


def adjoint(input):
    return transpose(input, -2, -1).conj()


def movedim(input, source, destination):
    rank = input.dim()

    def wrapped(dims):
        return wrap_dim(dims, rank) if isinstance(dims, int) else [wrap_dim(dim, rank) for dim in dims]

    return wrap(input._pairs.movedim(wrapped(source), wrapped(destination)))


def unsqueeze(input, dim):
    return wrap(input._pairs.unsqueeze(wrap_dim(dim, input.dim() + 1)))


def squeeze(input, dim=None):
    if dim is None:
        dims = [i for i, size in enumerate(input.shape) if size == 1]
    else:
        dims = [wrap_dim(each, input.dim()) for each in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    pairs = input._pairs
    for each in sorted(dims, reverse=True):
        if each < input.dim() and input.shape[each] == 1:
            pairs = pairs.squeeze(each)
    return input if pairs is input._pairs else wrap(pairs)


def expand(input, *sizes):
    return wrap(input._pairs.expand(*_sizes(sizes), 2))


def broadcast_to(input, *size):
    return expand(input, *size)


def expand_as(input, other):
    return expand(input, *other.shape)


def broadcast_tensors(*tensors):
    pairs = torch.broadcast_tensors(*[as_complex(each)._pairs for each in tensors])
    return tuple([wrap(each) for each in pairs])


def flatten(input, start_dim=0, end_dim=-1):
    rank = input.dim()
    if rank == 0:
        return reshape(input, 1)
    return wrap(input._pairs.flatten(wrap_dim(start_dim, rank), wrap_dim(end_dim, rank)))


def unflatten(input, dim, sizes):
    return wrap(input._pairs.unflatten(wrap_dim(dim, input.dim()), sizes))


def repeat(input, *repeats):
    return wrap(input._pairs.repeat(*_sizes(repeats), 1))


def tile(input, *dims):
    dims = _sizes(dims)
    return repeat(input, [1] * (input.dim() - len(dims)) + dims)


def repeat_interleave(input, repeats, dim=None):
    if dim is None:
        input, dim = ravel(input), 0
    return wrap(input._pairs.repeat_interleave(repeats, wrap_dim(dim, input.dim())))


def roll(input, shifts, dims=None):
    if dims is None:
        return roll(ravel(input), shifts, 0).reshape(input.shape)
    if isinstance(dims, int):
        return wrap(input._pairs.roll(shifts, wrap_dim(dims, input.dim())))
    return wrap(input._pairs.roll(shifts, [wrap_dim(dim, input.dim()) for dim in dims]))


def flip(input, *dims):
    return wrap(input._pairs.flip([wrap_dim(dim, input.dim()) for dim in _sizes(dims)]))


def narrow(input, dim, start, length):
    return wrap(input._pairs.narrow(wrap_dim(dim, input.dim()), start, length))


def select(input, dim, index):
    return wrap(input._pairs.select(wrap_dim(dim, input.dim()), index))


def diagonal(input, offset=0, dim1=0, dim2=1):
    rank = input.dim()
    pairs = input._pairs.diagonal(offset, wrap_dim(dim1, rank), wrap_dim(dim2, rank))
    return wrap(pairs.transpose(-1, -2))


def diag(input, diagonal=0):
    if input.dim() == 2:
        return input.diagonal(diagonal)
    return wrap(torch.stack([torch.diag(input.real, diagonal), torch.diag(input.imag, diagonal)], -1))


def _triangle(function, input, diagonal):
    return wrap(function(input._pairs.movedim(-1, 0), diagonal).movedim(0, -1).contiguous())


def tril(input, diagonal=0):
    return _triangle(torch.tril, input, diagonal)


def triu(input, diagonal=0):
    return _triangle(torch.triu, input, diagonal)


def chunk(input, chunks, dim=0):
    return tuple([wrap(each) for each in input._pairs.chunk(chunks, wrap_dim(dim, input.dim()))])


def split(input, split_size_or_sections, dim=0):
    return tuple([wrap(each) for each in input._pairs.split(split_size_or_sections, wrap_dim(dim, input.dim()))])


def unbind(input, dim=0):
    return tuple([wrap(each) for each in input._pairs.unbind(wrap_dim(dim, input.dim()))])


def index_select(input, dim, index):
    return wrap(input._pairs.index_select(wrap_dim(dim, input.dim()), index))


def gather(input, dim, index):
    index = index.unsqueeze(-1).expand(*index.shape, 2)
    return wrap(input._pairs.gather(wrap_dim(dim, input.dim()), index))


def take_along_dim(input, indices, dim):
    return gather(input, dim, indices)


def masked_select(input, mask):
    return input[mask]


def contiguous(input):
    pairs = input._pairs.contiguous()
    return input if pairs is input._pairs else wrap(pairs)


def is_contiguous(input, memory_format=None):
    return input._pairs.is_contiguous()


def numel(input):
    return input._pairs.numel() // 2


# ---- Several ----

def _common(tensors):
    tensors = [as_complex(each) for each in tensors]
    rank = max([each.dim() for each in tensors])
    return [each._pairs for each in tensors], rank


def cat(tensors, dim=0):
    pairs, rank = _common(tensors)
    return wrap(torch.cat(pairs, wrap_dim(dim, rank)))


def stack(tensors, dim=0):
    pairs, rank = _common(tensors)
    return wrap(torch.stack(pairs, wrap_dim(dim, rank + 1)))


def hstack(tensors):
    pairs, rank = _common(tensors)
    if rank == 0:
        return stack(tensors)
    return wrap(torch.cat(pairs, 0 if rank == 1 else 1))


def vstack(tensors):
    return cat([each.reshape(1, -1) if each.dim() < 2 else each for each in tensors])


def pad(input, pad, mode="constant", value=None):
    if mode != "constant" or value not in (None, 0):
        raise NotImplementedError("complex tensors are padded with zeros only")
    return wrap(torch.nn.functional.pad(input._pairs, (0, 0, *pad)))

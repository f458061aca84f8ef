"""What is computed with sparse tensors: of the values that are kept alone, or spread into a plain tensor.

    mm(s, d)      zeros.index_add(0, rows, values * d[columns])
    coalesce(s)   the places in order, each once, with the sum of its values

A function takes a sparse tensor in front unless it says otherwise; `torch.sparse` makes methods of them.
"""
import torch
from torch.sparse._tensor import Tensor


def is_sparse(value):
    return isinstance(value, Tensor)


def _with(s, kept):
    return Tensor(s._places, kept, s.shape, s._coalesced)


def _flat(places, shape):
    """One number for each place: where it lies in a plain tensor of those dimensions."""
    flat = torch.zeros(places.size(1), dtype=torch.int64, device=places.device)
    for place, size in zip(places, shape):
        flat = flat * size + place
    return flat


def _places_of(flat, shape):
    places = []
    for size in reversed(shape):
        places.append(flat % size)
        flat = flat // size
    return torch.stack(places[::-1]) if places else torch.zeros(0, flat.size(0), dtype=torch.int64)


def coalesce(s):
    if s._coalesced:
        return s
    sparse_shape = s.shape[:s.sparse_dim()]
    flat, group = torch.unique(_flat(s._places, sparse_shape), return_inverse=True)
    kept = s._kept.new_zeros((flat.size(0), *s._kept.shape[1:])).index_add(0, group, s._kept)
    return Tensor(_places_of(flat, sparse_shape), kept, s.shape, True)


def to_dense(s, dtype=None, *, masked_grad=None):
    kept = s._kept if dtype is None else s._kept.to(dtype)
    if kept.dtype is torch.bool:
        return to_dense(_with(s, kept.long())) != 0
    return kept.new_zeros(s.shape).index_put(tuple(s._places), kept, accumulate=True)


def to_sparse(x, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The sparse tensor of what is not 0, by its places in the first `sparse_dim` dimensions."""
    if layout not in (None, torch.sparse_coo) or blocksize is not None or dense_dim is not None:
        raise NotImplementedError("to_sparse() to another layout than torch.sparse_coo is not there")
    if is_sparse(x):
        return x
    count = x.dim() if sparse_dim is None or is_sparse(x) else sparse_dim
    held = x != 0
    if count < x.dim():
        held = held.flatten(count).any(-1)
    places = held.nonzero().t().contiguous()
    return Tensor(places, x[tuple(places)], x.shape, True)


def to_sparse_coo(x):
    """As `to_sparse()`."""
    return to_sparse(x)


# ---- Element by element -------------------------------------------------------------------------

def _is_number(value):
    return not isinstance(value, torch.Tensor) or not is_sparse(value) and value.dim() == 0


def mul(a, b):
    if not is_sparse(a):
        a, b = b, a
    if _is_number(b):
        return _with(a, a._kept * b)
    a = coalesce(a)
    places = tuple(a._places)
    if not is_sparse(b):
        return Tensor(a._places, a._kept * b.expand(a.shape)[places], a.shape, True)
    ones = _with(b, torch.ones_like(b._kept, dtype=torch.int64))
    both = to_dense(ones)[places] != 0
    if both.dim() > 1:
        both = both.flatten(1).any(1)
    kept = a._kept[both] * to_dense(b)[places][both]
    return Tensor(a._places[:, both], kept, a.shape, True)


def div(s, other, *, rounding_mode=None):
    if not is_sparse(s) or not _is_number(other):
        raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor")
    return _with(s, torch.div(s._kept, other, rounding_mode=rounding_mode))


def neg(s):
    return _with(s, -s._kept)


def add(a, b, *, alpha=1):
    if is_sparse(a) and not is_sparse(b):
        if _is_number(b):
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        return to_dense(a) + b * alpha
    b = mul(b, alpha) if alpha != 1 else b
    if not is_sparse(a):
        return a + to_dense(b)
    if a.shape != b.shape:
        raise RuntimeError(f"add: Expected 'self' and 'other' to have same size, but self has size "
                           f"{list(a.shape)} while other has size {list(b.shape)}")
    if a._nnz() == b._nnz() and torch.equal(a._places, b._places):
        return Tensor(a._places, a._kept + b._kept, a.shape, a._coalesced and b._coalesced)
    joined = Tensor(torch.cat([a._places, b._places], 1), torch.cat([a._kept, b._kept]), a.shape, False)
    return coalesce(joined) if a._coalesced and b._coalesced else joined


def sub(a, b, *, alpha=1):
    return add(a, b, alpha=-alpha)


def of_values(name):
    """The function of the sums at each place, for functions that leave 0 as it is."""
    function = getattr(torch, name)

    def apply(s, *args, **kwargs):
        s = coalesce(s)
        return _with(s, function(s._kept, *args, **kwargs))

    return apply


# ---- Products -----------------------------------------------------------------------------------

def mm(a, b, reduce=None):
    """A sparse matrix and a plain or a sparse one, or the other way round."""
    if reduce is not None:
        raise NotImplementedError("reduce= of torch.sparse.mm is for matrices by rows, which are not there")
    if a.dim() != 2 or b.dim() != 2:
        raise RuntimeError("mat1 must be a matrix" if a.dim() != 2 else "mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        if is_sparse(a) and not is_sparse(b):
            raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}")
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and "
                           f"{b.shape[0]}x{b.shape[1]})")
    if is_sparse(a) and is_sparse(b):
        return _of_two(a, b)
    if is_sparse(a):
        rows, columns = a._places
        return b.new_zeros(a.shape[0], b.shape[1]).index_add(0, rows, a._kept.unsqueeze(1) * b[columns])
    if is_sparse(b):
        rows, columns = b._places
        return a.new_zeros(a.shape[0], b.shape[1]).index_add(1, columns, a[:, rows] * b._kept)
    return torch.mm(a, b)


def _of_two(a, b):
    product = mm(a, to_dense(b))
    meets = mm(_with(a, torch.ones_like(a._kept)), to_dense(_with(b, torch.ones_like(b._kept))))
    places = meets.nonzero().t().contiguous()
    return Tensor(places, product[tuple(places)], product.shape, True)


def spmm(mat, dense):
    """The product of a sparse matrix and another one, as `torch.sparse.mm`."""
    return mm(mat, dense)


def mv(s, vec):
    return mm(s, vec.unsqueeze(1)).squeeze(1)


def matmul(a, b):
    if not is_sparse(b) and b.dim() == 1:
        return mv(a, b)
    if not is_sparse(a) and a.dim() == 1:
        return mm(a.unsqueeze(0), b).squeeze(0)
    return mm(a, b)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    product = mm(mat1, mat2)
    product = product if alpha == 1 else product * alpha
    return product + (mat if beta == 1 else mat * beta)


# ---- Along dimensions ---------------------------------------------------------------------------

def sum(s, dim=None, dtype=None):
    """All of it, as a plain number; along dimensions, what is left of the sparse tensor."""
    if not is_sparse(s):
        return torch.sum(s, dim, dtype=dtype) if dim is not None else torch.sum(s, dtype=dtype)
    kept = s._kept if dtype is None else s._kept.to(dtype)
    if dim is None:
        return kept.sum()
    dims = {each % s.dim() for each in ((dim,) if isinstance(dim, int) else dim)}
    count = s.sparse_dim()
    dense = [each - count + 1 for each in dims if each >= count]
    if dense:
        kept = kept.sum(dense)
    left = [i for i in range(count) if i not in dims]
    if not left:
        return kept.sum(0)
    shape = [size for i, size in enumerate(s.shape) if i not in dims]
    return coalesce(Tensor(s._places[left], kept, shape, False))


def _along(s, dim, finish):
    """Each group of elements that differ along one dimension alone: (value - greatest, sum of exponentials)."""
    s = coalesce(s)
    others = [i for i in range(s.sparse_dim()) if i != dim % s.dim()]
    shape = [s.shape[i] for i in others]
    group = _flat(s._places[others], shape)
    count = torch.Size(shape).numel()
    index = group.reshape(-1, *[1] * s.dense_dim()).expand_as(s._kept)
    greatest = torch.full((count, *s._kept.shape[1:]), -torch.inf, dtype=s.dtype).scatter_reduce(
        0, index, s._kept.detach(), "amax")
    shifted = s._kept - greatest[group]
    sums = torch.zeros_like(greatest).index_add(0, group, shifted.exp())
    return _with(s, finish(shifted, sums[group]))


def softmax(s, dim, *, dtype=None):
    """Of what is kept, as if the rest were infinitely small."""
    return _along(s if dtype is None else to(s, dtype), dim, lambda shifted, sums: shifted.exp() / sums)


def log_softmax(s, dim, *, dtype=None):
    return _along(s if dtype is None else to(s, dtype), dim, lambda shifted, sums: shifted - sums.log())


# ---- Other forms of it --------------------------------------------------------------------------

def transpose(s, dim0, dim1):
    a, b = dim0 % s.dim(), dim1 % s.dim()
    if max(a, b) >= s.sparse_dim():
        raise RuntimeError("transpose of dense dimensions is not there")
    order, shape = list(range(s.sparse_dim())), list(s.shape)
    order[a], order[b] = order[b], order[a]
    shape[a], shape[b] = shape[b], shape[a]
    return Tensor(s._places[order], s._kept, shape, s._coalesced and a == b)


def t(s):
    return transpose(s, 0, 1) if s.dim() == 2 else s


def cat(tensors, dim=0):
    dim = dim % tensors[0].dim()
    places, size = [], 0
    for each in tensors:
        moved = each._places.clone()
        moved[dim] += size
        places.append(moved)
        size += each.shape[dim]
    shape = list(tensors[0].shape)
    shape[dim] = size
    return Tensor(torch.cat(places, 1), torch.cat([each._kept for each in tensors]), shape, False)


def select(s, dim, index):
    """One slice along a dimension: a sparse tensor, or of a vector its number."""
    dim = dim % s.dim()
    if not -s.shape[dim] <= index < s.shape[dim]:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(s.shape)} at dimension {dim}")
    held = s._places[dim] == index % s.shape[dim]
    left = [i for i in range(s.sparse_dim()) if i != dim]
    kept = s._kept[held]
    if not left:
        return kept.sum(0)
    return Tensor(s._places[left][:, held], kept, [size for i, size in enumerate(s.shape) if i != dim], s._coalesced)


def index_select(s, dim, index):
    dim = dim % s.dim()
    same = s._places[dim].unsqueeze(0) == index.unsqueeze(1)
    new, old = same.nonzero().t()
    places = s._places[:, old].clone()
    places[dim] = new
    shape = list(s.shape)
    shape[dim] = index.numel()
    return Tensor(places, s._kept[old], shape, False)


def getitem(s, index):
    if not isinstance(index, tuple):
        index = (index,)
    for each in index:
        if not isinstance(each, int):
            raise NotImplementedError("a sparse tensor is indexed with ints: slice what `to_dense()` gives")
        s = select(s, 0, each)
    return s


def to(s, *args, **kwargs):
    places = s._places.to(s._kept.to(*args, **kwargs).device)
    kept = s._kept.to(*args, **kwargs)
    return s if kept is s._kept else Tensor(places, kept, s.shape, s._coalesced)


def converted(name):
    """A method of plain tensors that gives another dtype or device."""
    def convert(s, *args, **kwargs):
        kept = getattr(s._kept, name)(*args, **kwargs)
        return s if kept is s._kept else Tensor(s._places.to(kept.device), kept, s.shape, s._coalesced)

    return convert


def clone(s, *, memory_format=None):
    return Tensor(s._places.clone(), s._kept.clone(), s.shape, s._coalesced)


def detach(s):
    return _with(s, s._kept.detach())

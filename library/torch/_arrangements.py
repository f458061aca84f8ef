"""Functions that lay tensors out anew, and products that are made of others.

    torch.rot90(x)                       a quarter turn
    torch.tensordot(a, b, dims=1)        products summed over dimensions of both
"""
import math
import torch
from torch._output import scalar_name, write, wrong_type


def fliplr(input):
    """Columns in reverse order."""
    if input.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return input.flip(1)


def flipud(input):
    """Rows in reverse order."""
    if input.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return input.flip(0)


def rot90(input, k=1, dims=(0, 1)):
    """Quarter turns in the plane of two dimensions."""
    if not isinstance(k, int) or isinstance(k, bool):
        raise wrong_type("rot90", 2, "k", "int", k)
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input.dim() < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input.dim()}")
    first, second = dims
    if first == second or abs(first - second) == input.dim():
        raise RuntimeError("expected rotation dims to be different, but got dim0 = "
                           f"{first} and dim1 = {second}")
    turns = k % 4
    if turns == 1:
        return input.flip(second).transpose(first, second)
    if turns == 2:
        return input.flip(first, second)
    if turns == 3:
        return input.flip(first).transpose(first, second)
    return input.clone()


def _each(tensors, raised):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    elif len(tensors) == 1:
        return raised(tensors[0])
    return tuple([raised(tensor) for tensor in tensors])


def atleast_1d(*tensors):
    """A scalar as a vector; others as they are."""
    return _each(tensors, lambda x: x.reshape(1) if x.dim() == 0 else x)


def _two_dims(x):
    return x.reshape(1, 1) if x.dim() == 0 else x.unsqueeze(0) if x.dim() == 1 else x


def _three_dims(x):
    if x.dim() == 0:
        return x.reshape(1, 1, 1)
    if x.dim() == 1:
        return x.unsqueeze(0).unsqueeze(-1)
    return x.unsqueeze(-1) if x.dim() == 2 else x


def atleast_2d(*tensors):
    """Scalars and vectors as matrices; others as they are."""
    return _each(tensors, _two_dims)


def atleast_3d(*tensors):
    """Tensors with new dimensions of size 1 up to three."""
    return _each(tensors, _three_dims)


def _need_tensors(function, tensors):
    if isinstance(tensors, torch.Tensor):
        raise wrong_type(function, 1, "tensors", "tuple of Tensors", tensors)


def column_stack(tensors):
    """Vectors as columns, and matrices, side by side."""
    _need_tensors("column_stack", tensors)
    return torch.cat([x.reshape(x.numel(), 1) if x.dim() <= 1 else x for x in tensors], 1)


def row_stack(tensors):
    """Tensors one below the other."""
    return torch.vstack(tensors)


def dstack(tensors):
    """Tensors joined along the third dimension."""
    _need_tensors("dstack", tensors)
    return torch.cat([_three_dims(x) for x in tensors], 2)


def hsplit(input, indices_or_sections):
    """Parts side by side."""
    if input.dim() < 1:
        raise RuntimeError("torch.hsplit requires a tensor with at least 1 dimension, but got a "
                           f"tensor with {input.dim()} dimensions!")
    return _split("hsplit", input, indices_or_sections, 0 if input.dim() == 1 else 1)


def vsplit(input, indices_or_sections):
    """Parts one below the other."""
    if input.dim() < 2:
        raise RuntimeError("torch.vsplit requires a tensor with at least 2 dimension, but got a "
                           f"tensor with {input.dim()} dimensions!")
    return _split("vsplit", input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    """Parts along the third dimension."""
    if input.dim() < 3:
        raise RuntimeError("torch.dsplit requires a tensor with at least 3 dimension, but got a "
                           f"tensor with {input.dim()} dimensions!")
    return _split("dsplit", input, indices_or_sections, 2)


def _split(name, input, parts, dim):
    if isinstance(parts, int) and (parts == 0 or input.size(dim) % parts != 0):
        raise RuntimeError(f"torch.{name} attempted to split along dimension {dim}, but the size "
                           f"of the dimension {input.size(dim)} is not divisible by the "
                           f"split_size {parts}!")
    return torch.tensor_split(input, parts, dim)


def split_with_sizes(input, split_sizes, dim=0):
    """Parts of these sizes."""
    if not isinstance(split_sizes, (list, tuple)):
        raise wrong_type("split_with_sizes", 2, "split_sizes", "tuple of ints", split_sizes)
    return torch.split(input, split_sizes, dim)


def narrow_copy(input, dim, start, length):
    """A copy of a part."""
    return input.narrow(dim, start, length).clone()


def block_diag(*tensors):
    """A matrix with matrices on its diagonal."""
    for place, x in enumerate(tensors):
        if x.dim() > 2:
            raise RuntimeError("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                               f"{place} has {x.dim()} dimensions")
    blocks = [_two_dims(x) for x in tensors]
    width = sum([block.size(1) for block in blocks])
    rows, before = [], 0
    for block in blocks:
        behind = width - before - block.size(1)
        rows.append(torch.nn.functional.pad(block, (before, behind)))
        before += block.size(1)
    return torch.cat(rows) if rows else torch.zeros(1, 0)


def diagflat(input, offset=0):
    """A matrix with these elements on its diagonal."""
    return torch.diag(input.reshape(-1), offset)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with these diagonals."""
    size, rank = input.size(-1) + abs(offset), input.dim() + 1
    first, second = dim1 % rank, dim2 % rank
    if first == second:
        raise RuntimeError("diagonal dimensions cannot be identical "
                           f"{dim1}, {dim2}")
    return torch._diag_embed(input, offset, first, second, size)


def tril_indices(row, col, offset=0, *, dtype=torch.int64, device=None, layout=None):
    """The places of a lower triangle: a row of rows, a row of columns."""
    return torch.ones(row, col, device=device).tril(offset).nonzero().t().contiguous().to(dtype)


def triu_indices(row, col, offset=0, *, dtype=torch.int64, device=None, layout=None):
    """The places of an upper triangle: a row of rows, a row of columns."""
    return torch.ones(row, col, device=device).triu(offset).nonzero().t().contiguous().to(dtype)


def vander(x, N=None, increasing=False):
    """A matrix of powers, a row for each element."""
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x.size(0) if N is None else N
    powers = torch.arange(count, device=x.device)
    one = torch.ones((), dtype=x.dtype, device=x.device)
    result = torch.where(powers == 0, one, x.unsqueeze(1) ** powers)
    return result if increasing else result.flip(1)


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False):
    """Powers of `base` with equally spaced exponents."""
    exponents = torch.linspace(start, end, steps, dtype=torch.float64, device=device)
    made = torch.pow(float(base), exponents).to(dtype or torch.get_default_dtype())
    return made.requires_grad_() if requires_grad else made


def chain_matmul(*matrices):
    """The product of all matrices."""
    if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)):
        matrices = matrices[0]
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


def matrix_power(input, n):
    """A square matrix times itself, `n` times."""
    if input.dim() < 2 or input.size(-1) != input.size(-2):
        raise RuntimeError("linalg.matrix_power: A must be batches of square matrices, but they "
                           f"are {input.size(-2) if input.dim() > 1 else 1} by {input.size(-1)} "
                           "matrices")
    if n < 0:
        raise NotImplementedError("matrix_power() takes no negative power here")
    if n == 3:
        return input @ input @ input
    result, square = None, input
    while n > 0:
        if n & 1:
            result = square if result is None else result @ square
        n >>= 1
        if n > 0:
            square = square @ square
    if result is None:
        one = torch.eye(input.size(-1), dtype=input.dtype, device=input.device)
        return one.expand(input.shape).clone()
    return result.clone() if result is input else result


def cross(input, other, dim=None):
    """The cross product along a dimension of size 3."""
    if dim is None:
        found = [i for i, size in enumerate(input.shape) if size == 3]
        if not found:
            raise RuntimeError("no dimension of size 3 in input")
        dim = found[0]
    if input.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if input.size(dim) != 3 or other.size(dim) != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got "
                           f"{input.size(dim)} and {other.size(dim)}")
    if input.dtype == torch.bool:
        raise NotImplementedError("\"cross\" not implemented for 'Bool'")
    if input.dtype != other.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(input)} but found "
                           f"{scalar_name(other)}")
    return torch._cross(input, other, dim)


def fill_diagonal_(input, fill_value, wrap=False):
    """Writes a number along the diagonal; with `wrap` along further ones below, an empty row between."""
    if input.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    if input.dim() > 2 and any(size != input.size(0) for size in input.shape):
        raise RuntimeError("all dimensions of input must be of equal length")
    rows, columns = input.shape[:2]
    diagonal = input
    while diagonal.dim() > 1:
        diagonal = diagonal.diagonal()
    diagonal.fill_(fill_value)
    if wrap and input.dim() == 2:
        for row in range(columns + 1, rows, columns + 1):
            input[row:].diagonal().fill_(fill_value)
    return input


def tensordot(a, b, dims=2, out=None):
    """Products summed over `dims` dimensions, the last of one and the first of the other, or over
    the named ones of both."""
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError("tensordot expects dims < ndim_a or ndim_b, but got "
                               f"dims={dims}")
        of_a, of_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        of_a, of_b = [[d] if isinstance(d, int) else list(d) for d in dims]
    shift = a.dim() if isinstance(dims, int) else 0  # PyTorch counts these from the end
    for i, j in zip(of_a, of_b):
        if b.size(j) == 1:  # as if it were repeated
            a = a.sum(i, keepdim=True)
        elif a.size(i) == 1:
            b = b.sum(j, keepdim=True)
        elif a.size(i) != b.size(j):
            raise RuntimeError("contracted dimensions need to match, but first has size "
                               f"{a.size(i)} in dim {i - shift} and second has size {b.size(j)} "
                               f"in dim {j}")
    of_a, of_b = [d % a.dim() for d in of_a], [d % b.dim() for d in of_b]
    free_a = [d for d in range(a.dim()) if d not in of_a]
    free_b = [d for d in range(b.dim()) if d not in of_b]
    count = math.prod([a.size(d) for d in of_a])
    rows, columns = [a.size(d) for d in free_a], [b.size(d) for d in free_b]
    left = a.permute(free_a + of_a).reshape(math.prod(rows), count)
    right = b.permute(of_b + free_b).reshape(count, math.prod(columns))
    product = (left @ right).reshape(rows + columns)
    if out is None:
        return product
    return write(out, product, "tensordot: Expected the output tensor to have dtype "
                 f"{scalar_name(product)}, but got an output tensor with dtype {scalar_name(out)}")


def _refuse_bool(function, y):
    if y.dtype == torch.bool:
        raise NotImplementedError(f"{function}: received a bool input for `y`, but bool is not supported")


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """The integral by the trapezoidal rule."""
    _refuse_bool("trapezoid", y)
    if x is None:
        if y.size(dim) == 0:
            return y.sum(dim) * 1.0
        return (y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * dx
    pairs = y.narrow(dim, 0, y.size(dim) - 1) + y.narrow(dim, 1, y.size(dim) - 1)
    widths = torch.diff(x, dim=dim if x.dim() > 1 else 0)
    if x.dim() == 1 and y.dim() > 1:
        widths = widths.reshape([-1] + [1] * (y.dim() - 1 - dim % y.dim()))
    return (pairs * widths).sum(dim) / 2.0


def trapz(y, x=None, *, dx=1, dim=-1):
    """`trapezoid` by its older name."""
    return trapezoid(y, x, dx=dx, dim=dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """Integrals up to each place, by the trapezoidal rule."""
    _refuse_bool("cumulative_trapezoid", y)
    pairs = y.narrow(dim, 0, y.size(dim) - 1) + y.narrow(dim, 1, y.size(dim) - 1)
    if x is not None:
        return (pairs * torch.diff(x, dim=dim if x.dim() > 1 else 0)).cumsum(dim) / 2.0
    return pairs.cumsum(dim) * (dx / 2.0)


def cov(input, *, correction=1, fweights=None, aweights=None):
    """The covariances of rows."""
    if input.dim() > 2:
        raise RuntimeError("cov(): expected input to have two or fewer dimensions but got an "
                           f"input with {input.dim()} dimensions")
    if input.dtype == torch.bool:
        raise NotImplementedError("cov(): bool dtype is not supported for input")
    if fweights is not None or aweights is not None:
        raise NotImplementedError("cov() takes no weights here")
    rows = _two_dims(input)
    rows = rows if rows.is_floating_point() else rows.to(torch.get_default_dtype())
    centred = rows - rows.mean(1, keepdim=True)
    return (centred @ centred.t() / max(rows.size(1) - correction, 0)).squeeze()


def corrcoef(input):
    """The correlations of rows."""
    result = cov(input)
    if result.dim() == 0:
        return result / result
    deviation = result.diagonal().sqrt()
    return (result / deviation.unsqueeze(1) / deviation).clamp(-1, 1)


def is_same_size(input, other):
    """Whether the sizes agree."""
    return input.shape == other.shape


def is_nonzero(input):
    """Whether the only element is not 0."""
    if input.numel() != 1:
        raise RuntimeError("Boolean value of Tensor with "
                           + ("no values" if input.numel() == 0 else "more than one value")
                           + " is ambiguous")
    return bool(input)


def sum_to_size(input, *size):
    """Summed over what broadcasting would add, down to sizes."""
    if len(size) == 1 and isinstance(size[0], (list, tuple)):
        size = tuple(size[0])
    added = input.dim() - len(size)
    fits = added >= 0 and all([wanted == 1 or wanted == own
                               for wanted, own in zip(size, input.shape[added:])])
    if not fits:
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size "
                           f"{{{list(input.shape)}}}.")
    dims = list(range(added))
    dims += [i + added for i, wanted in enumerate(size) if wanted == 1 and input.size(i + added) != 1]
    return input.sum(dims).reshape(size) if dims else input


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    """A tensor without dimensions, of the default float."""
    if isinstance(s, torch.Tensor) and s.dim() > 0:
        raise wrong_type("scalar_tensor", 1, "s", "Number", s)
    return torch.tensor(s, dtype=dtype or torch.get_default_dtype(), device=device,
                        requires_grad=requires_grad)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """A tensor of what is given: a tensor itself where nothing has to change."""
    if copy is False and not isinstance(obj, torch.Tensor):
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    made = torch.as_tensor(obj, dtype=dtype, device=device)
    if copy is False and made is not obj:
        raise ValueError(f"can't alias tensor with dtype '{scalar_name(obj)}' into dtype "
                         f"'{scalar_name(made)}'.")
    if copy and made is obj:
        made = made.clone()
    if requires_grad is False and made.requires_grad:
        return made.detach()
    if requires_grad and not made.is_floating_point():
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return made.requires_grad_() if requires_grad else made


def unravel_index(indices, shape):
    """The places in a shape of flat indices, a tensor for each dimension."""
    if indices.is_floating_point() or indices.dtype == torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = [shape] if isinstance(shape, int) else list(shape)
    parts = []
    for size in reversed(shape):
        parts.append(indices % size)
        indices = indices // size
    return tuple(reversed(parts))

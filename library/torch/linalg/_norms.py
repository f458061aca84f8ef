"""Norms, and what is a product or a norm of matrices and no more.

    norm(x)                     of a vector or matrix: the square root of the sum of squares
    vector_norm(x, ord=1)       of all elements as one vector
    matrix_norm(A, ord="nuc")   the sum of the singular values
"""
import math

import torch
from torch.linalg._matrices import check_dtype, check_floating, check_square
from torch.linalg._singular_values import eigvalsh, numerical_rank, svdvals
from torch.linalg._solving import inv, inv_ex


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """(sum |x|^ord)^(1 / ord); the largest for inf, the least for -inf, how many are not 0 for 0."""
    if x.is_complex():
        x = x.abs()
    check_floating("linalg.vector_norm", x)
    x = x if dtype is None else x.to(dtype)
    if dim is None:
        result = torch.norm(x.flatten(), ord, 0)
        return result.reshape([1] * x.dim()) if keepdim else result
    return torch.norm(x, ord, dim, keepdim)


def _two_dims(A, dim):
    if len(dim) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + " ".join(map(str, dim)))
    for d in dim:
        if not -A.dim() <= d < A.dim():
            raise IndexError(f"Dimension out of range (expected to be in range of [{-A.dim()}, "
                             f"{A.dim() - 1}], but got {d})")
    first, second = [d % A.dim() for d in dim]
    if first == second:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    return first, second


def _with_kept(result, dims, keepdim):
    if keepdim:
        for d in sorted(dims):
            result = result.unsqueeze(d)
    return result


def _greatest(lengths, dim, keepdim=False):
    """The greatest, which of none is 0."""
    return lengths.amax(dim, keepdim) if lengths.size(dim) else lengths.sum(dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """'fro' and 'nuc' of the singular values' squares and themselves, 2 and -2 the largest and least of
    them; 1 and -1 of the columns' sums, inf and -inf of the rows'."""
    if A.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if A.is_complex() and ord not in ("nuc", 2, -2):
        A = A.abs()
    check_floating("linalg.matrix_norm", A)
    A = A if dtype is None else A.to(dtype)
    rows, columns = _two_dims(A, dim)
    if ord == "fro":
        return torch.norm(A, 2, (rows, columns), keepdim)
    if ord == "nuc" or ord in (2, -2):
        check_dtype("linalg.matrix_norm", A)
        values = svdvals(A.movedim((rows, columns), (-2, -1)))
        result = (values.sum(-1) if ord == "nuc" else _greatest(values, -1) if ord == 2
                  else values.amin(-1))
        return _with_kept(result, (rows, columns), keepdim)
    if ord in (1, -1, math.inf, -math.inf):
        summed, other = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(summed, keepdim=True)
        result = _greatest(sums, other, keepdim=True) if ord > 0 else sums.amin(other, keepdim=True)
        return result if keepdim else result.squeeze((rows, columns))
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A vector's norm, or with two dimensions and an order a matrix's."""
    if ord is not None:
        if isinstance(dim, int):
            dim = (dim,)
        if dim is None and A.dim() not in (1, 2):
            raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or "
                               f"2D. Got {A.dim()}D.")
        if dim is not None and len(dim) not in (1, 2):
            raise RuntimeError("linalg.norm: If dim is specified, it must be of length 1 or 2. Got "
                               f"{list(dim)}")
        if isinstance(ord, str) or (A.dim() if dim is None else len(dim)) == 2:
            return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


def cond(A, p=None):
    """How much errors can grow when a matrix is inverted: its norm times its inverse's."""
    if A.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if A.shape[-2:].numel() == 0 and not isinstance(p, str):
        return A.sum((-2, -1))
    if p is None or p in (2, -2):
        values = svdvals(A)
        largest, least = values[..., 0], values[..., -1]
        return least / largest if p == -2 else largest / least
    if p not in ("fro", "nuc", math.inf, -math.inf, 1, -1):
        raise ValueError(f"linalg.cond got an invalid norm type: {p}")
    check_square("linalg.cond" + (f"(ord={p})" if isinstance(p, str) else ""), A)
    inverse, info = inv_ex(A)
    singular = info > 0
    inverse = torch.where(singular.unsqueeze(-1).unsqueeze(-1), 1, inverse)
    return torch.where(singular, math.inf, matrix_norm(A, p) * matrix_norm(inverse, p))


def matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None):
    """How many singular values are not 0 but for rounding."""
    if A.dim() < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    values = eigvalsh(A.detach()).abs() if hermitian else svdvals(A.detach())
    return numerical_rank(values, A, rtol, tol if tol is not None else atol)


def matmul(input, other):
    """As torch.matmul."""
    return torch.matmul(input, other)


def matrix_power(A, n):
    """A square matrix times itself, `n` times; of its inverse for a negative number."""
    if n < 0:
        return torch.matrix_power(inv(A), -n)
    return torch.matrix_power(A, n)


def _cheapest(sizes):
    """Where to split a chain of matrices of sizes[i] by sizes[i + 1] between i and j."""
    count = len(sizes) - 1
    cost, split = {(i, i): 0 for i in range(count)}, {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j], split[i, j] = min(
                [(cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                 for k in range(i, j)])
    return split


def multi_dot(tensors):
    """The product of a chain of matrices, in the order that takes the fewest multiplications."""
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    matrices = list(tensors)
    if matrices[0].dim() == 1:
        matrices[0] = matrices[0].unsqueeze(0)
    if matrices[-1].dim() == 1:
        matrices[-1] = matrices[-1].unsqueeze(-1)
    split = _cheapest([m.size(0) for m in matrices] + [matrices[-1].size(1)])

    def product(i, j):
        if i == j:
            return matrices[i]
        return product(i, split[i, j]) @ product(split[i, j] + 1, j)

    result = product(0, len(matrices) - 1)
    if tensors[-1].dim() == 1:
        result = result.squeeze(-1)
    return result.squeeze(0) if tensors[0].dim() == 1 else result


def cross(input, other, *, dim=-1):
    """The cross product of vectors of three."""
    return torch.cross(input, other, dim=dim)


def vecdot(x, y, *, dim=-1):
    """The sum of products along a dimension."""
    return (x * y).sum(dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """As torch.diagonal, of the last two dimensions."""
    return torch.diagonal(A, offset, dim1, dim2)


def vander(x, N=None):
    """The powers of each number, from 0 on."""
    powers = torch.arange(x.size(-1) if N is None else N, device=x.device)
    return x.unsqueeze(-1) ** powers

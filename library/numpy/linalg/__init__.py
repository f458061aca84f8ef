"""`numpy.linalg`: norms, solving, factorisations, over `torch.linalg`.

    np.linalg.norm(a), np.linalg.solve(A, b), np.linalg.eigh(A)

Ints are taken as float64. Signs of singular vectors and eigenvectors, and last digits, may differ.
"""
import math
from collections import namedtuple

import torch
from numpy import _memory
from numpy._array import wrap, wrap_result
from numpy._axes import axes_of
from numpy._products import cross, matmul, outer, tensordot, trace, vecdot
from numpy._reductions import folded
from numpy._scalars import make
from numpy._searching import diagonal
from numpy._values import operand


class LinAlgError(ValueError):
    """A matrix that a function is not for."""

    __module__ = "numpy.linalg"


EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])
SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])


def _floats(a):
    tensor = operand(a)
    if tensor.dtype is torch.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return tensor if tensor.dtype.is_floating_point else tensor.to(torch.float64)


def _matrix(a):
    tensor = _floats(a)
    if tensor.dim() < 2:
        raise LinAlgError(f"{tensor.dim()}-dimensional array given. Array must be at least two-dimensional")
    return tensor


def _square(a):
    tensor = _matrix(a)
    if tensor.size(-1) != tensor.size(-2):
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return tensor


def _guarded(text, function, *arguments, **options):
    """Where PyTorch's function refuses a matrix, NumPy's words."""
    try:
        return function(*arguments, **options)
    except torch.linalg.LinAlgError:
        raise LinAlgError(text) from None


def inv(a):
    return wrap(_guarded("Singular matrix", torch.linalg.inv, _square(a)))


def solve(a, b):
    left, right = _square(a), _floats(b)
    common = torch.promote_types(left.dtype, right.dtype)
    if right.dim() == 0 or right.size(0 if right.dim() == 1 else -2) != left.size(-1):
        size = right.size(0 if right.dim() == 1 else -2)
        name, signature = ("solve1", "(m,m),(m)->(m)") if right.dim() == 1 else ("solve", "(m,m),(m,n)->(m,n)")
        raise ValueError(f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"{signature} (size {size} is different from {left.size(-1)})")
    column = right.to(common).unsqueeze(-1) if right.dim() == 1 else right.to(common)
    found = _guarded("Singular matrix", torch.linalg.solve, left.to(common), column)
    return wrap(found.squeeze(-1) if right.dim() == 1 else found)


def det(a):
    """By way of the logarithm, which has another last digit than the product."""
    matrix = _square(a)
    if matrix.dtype is torch.float64 and matrix.dim() == 2:
        sign, size = _sign_and_logarithm(matrix)
        return make(torch.float64, sign * math.exp(size))
    sign, size = torch.linalg.slogdet(matrix)
    return wrap_result(sign * torch.exp(size))


def _sign_and_logarithm(matrix):
    packed, pivots = torch.linalg.lu_factor(matrix)
    sign, size = 1.0, 0.0
    for place, (pivot, number) in enumerate(zip(pivots.tolist(), packed.diagonal().tolist()), 1):
        sign = 0.0 if number == 0 else -sign if (pivot != place) != (number < 0) else sign
        size += math.log(abs(number)) if number != 0 else -math.inf
    return sign, size


def slogdet(a):
    matrix = _square(a)
    if matrix.dtype is torch.float64 and matrix.dim() == 2:
        return SlogdetResult(*[make(torch.float64, each) for each in _sign_and_logarithm(matrix)])
    sign, size = torch.linalg.slogdet(matrix)
    return SlogdetResult(wrap_result(sign), wrap_result(size))


def cholesky(a, /, *, upper=False):
    return wrap(_guarded("Matrix is not positive definite", torch.linalg.cholesky, _square(a), upper=upper))


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    Q, R = torch.linalg.qr(_matrix(a), "reduced" if mode == "r" else mode)
    return wrap(R) if mode == "r" else QRResult(wrap(Q), wrap(R))


def eigh(a, UPLO="L"):
    values, vectors = _guarded("Eigenvalues did not converge", torch.linalg.eigh, _square(a), UPLO)
    return EighResult(wrap(values), wrap(vectors))


def eigvalsh(a, UPLO="L"):
    return wrap(_guarded("Eigenvalues did not converge", torch.linalg.eigvalsh, _square(a), UPLO))


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    matrix = _matrix(a)
    if not compute_uv:
        return wrap(_guarded("SVD did not converge", torch.linalg.svdvals, matrix))
    U, S, Vh = _guarded("SVD did not converge", torch.linalg.svd, matrix, full_matrices=full_matrices)
    return SVDResult(wrap(U), wrap(S), wrap(Vh))


def svdvals(x, /):
    return svd(x, compute_uv=False)


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    share = rcond if rcond is not None else rtol
    return wrap(torch.linalg.pinv(_matrix(a), rtol=1e-15 if share is None else float(share)))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    tensor = _floats(A)
    if tensor.dim() < 2:
        return int(bool((tensor != 0).any()))
    sizes = torch.linalg.svdvals(tensor)
    if tol is None:
        share = max(tensor.shape[-2:]) * torch.finfo(sizes.dtype).eps if rtol is None else float(rtol)
        tol = sizes.amax(-1, keepdim=True) * share
    return wrap_result((sizes > operand(tol)).sum(-1))


def cond(x, p=None):
    matrix = _matrix(x)
    if p is None or p == 2:
        sizes = torch.linalg.svdvals(matrix)
        return wrap_result(sizes[..., 0] / sizes[..., -1])
    return norm(matrix, p, axis=(-2, -1)) * norm(inv(wrap(matrix)), p, axis=(-2, -1))


def matrix_power(a, n):
    matrix = operand(a)
    if n < 0:
        return matrix_power(inv(a), -n)
    if n == 0:
        return wrap(_memory.eye(matrix.size(-1), dtype=matrix.dtype).expand(matrix.shape).clone())
    result = matrix
    for _ in range(n - 1):
        result = result @ matrix
    return wrap(result)


def multi_dot(arrays):
    result = arrays[0]
    for each in arrays[1:]:
        result = matmul(result, each)
    return result


def lstsq(a, b, rcond=None):
    """The nearest solution, the squares that are left, the rank, the singular values."""
    left, right = _matrix(a), _floats(b)
    if left.size(0) != right.size(0):
        raise LinAlgError("Incompatible dimensions")
    column = right.unsqueeze(1) if right.dim() == 1 else right
    sizes = torch.linalg.svdvals(left)
    share = torch.finfo(left.dtype).eps * max(left.shape) if rcond is None or rcond < 0 else rcond
    rank = int((sizes > share * sizes.max()).sum()) if sizes.numel() else 0
    found = torch.linalg.pinv(left, rtol=share) @ column
    rest = _memory.empty(0, dtype=left.dtype)
    if rank == left.size(1) and left.size(0) > left.size(1):
        rest = ((column - left @ found) ** 2).sum(0)
    return wrap(found.squeeze(1) if right.dim() == 1 else found), wrap(rest), make(torch.int32, rank), wrap(sizes)


# ---- Norms --------------------------------------------------------------------------------------

def _vector_norm(tensor, ord, axes):
    sizes = torch.abs(tensor)
    if ord is None or ord == 2:
        return torch.sqrt(folded("sum", tensor * tensor, axes))
    if ord == float("inf"):
        return sizes.amax(tuple(axes))
    if ord == -float("inf"):
        return sizes.amin(tuple(axes))
    if ord == 0:
        return (tensor != 0).sum(tuple(axes)).to(tensor.dtype)
    if ord == 1:
        return folded("sum", sizes, axes)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return torch.pow(folded("sum", torch.pow(sizes, ord), axes), 1.0 / ord)


def _matrix_norm(tensor, ord, axes):
    rows, columns = axes
    if ord is None or ord in ("fro", "f"):
        return torch.sqrt(folded("sum", tensor * tensor, axes))
    matrix = tensor.movedim((rows, columns), (-2, -1))
    if ord in (2, -2, "nuc"):
        sizes = torch.linalg.svdvals(matrix)
        return sizes.sum(-1) if ord == "nuc" else sizes[..., 0 if ord == 2 else -1]
    if ord not in (1, -1, float("inf"), -float("inf")):
        raise ValueError("Invalid norm order for matrices.")
    sums = folded("sum", torch.abs(matrix), [matrix.dim() - (2 if abs(ord) == 1 else 1)])
    return sums.amax(-1) if ord > 0 else sums.amin(-1)


def norm(x, ord=None, axis=None, keepdims=False):
    """The length of a vector, of all elements, of the rows along an axis; or a matrix norm."""
    tensor = operand(x)
    tensor = tensor if tensor.dtype.is_floating_point else tensor.to(torch.float64)
    if axis is None and ord is None:
        flat = tensor.reshape(-1)
        result = torch.sqrt(torch.dot(flat, flat))
        return wrap_result(result.reshape((1,) * tensor.dim()) if keepdims else result)
    if axis is None and tensor.dim() > 2:
        raise ValueError("Improper number of dimensions to norm.")
    axes = [axis] if isinstance(axis, int) else range(tensor.dim()) if axis is None else axis
    axes = [axes_of(each, tensor.dim())[0] for each in axes]
    if len(axes) == 2 and axes[0] == axes[1]:
        raise ValueError("Duplicate axes given.")
    if len(axes) not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    result = _vector_norm(tensor, ord, axes) if len(axes) == 1 else _matrix_norm(tensor, ord, axes)
    if keepdims:
        for each in sorted(axes):
            result = result.unsqueeze(each)
    return wrap_result(result)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    tensor = _floats(x)
    axes = axes_of(axis, tensor.dim())
    result = _vector_norm(tensor, ord, axes)
    for each in sorted(axes) if keepdims else []:
        result = result.unsqueeze(each)
    return wrap_result(result)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(x, ord, (-2, -1), keepdims)

"""Functions of `torch` itself that `torch.linalg` has too, by their older names and arguments."""
import torch
from torch.linalg import inv, pinv
from torch.linalg._matrices import check_square, result_type, transposed

_SlogDet = result_type("slogdet", ["sign", "logabsdet"])
_SVD = result_type("svd", ["U", "S", "V"])


def inverse(input):
    """The matrix that times `input` is the identity."""
    return inv(input)


def matrix_exp(input):
    """The sum of the matrix's powers, each over its factorial."""
    return torch.linalg.matrix_exp(input)


def orgqr(input, tau):
    """The first columns of the product of reflections."""
    return torch.linalg.householder_product(input, tau)


def det(input):
    """The determinant."""
    return torch.linalg.det(input)


def slogdet(input):
    """The sign of the determinant, and the logarithm of its magnitude."""
    return _SlogDet(*torch.linalg.slogdet(input))


def logdet(input):
    """The logarithm of the determinant; NaN where that is negative."""
    check_square("logdet", input)
    sign, logarithm = torch.linalg.slogdet(input)
    return torch.where(sign < 0, float("nan"), logarithm)


def svd(input, some=True, compute_uv=True):
    """U, S and V with `input` = U @ diag(S) @ V.mT."""
    if not compute_uv:
        front, (height, width) = input.shape[:-2], input.shape[-2:]
        return _SVD(input.new_zeros(front + (height, height)), torch.linalg.svdvals(input),
                    input.new_zeros(front + (width, width)))
    U, S, Vh = torch.linalg.svd(input, not some)
    return _SVD(U, S, transposed(Vh))


def pinverse(input, rcond=1e-15):
    """The pseudo-inverse."""
    return pinv(input, rtol=rcond)


def cholesky_solve(B, L, upper=False):
    """X with A @ X = B, of A's Cholesky factor."""
    lower = transposed(L) if upper else L
    forward = torch.linalg.solve_triangular(lower, B, upper=False)
    return torch.linalg.solve_triangular(transposed(lower), forward, upper=True)


def cholesky_inverse(L, upper=False):
    """The inverse of A, of its Cholesky factor."""
    one = torch.eye(L.size(-1), dtype=L.dtype, device=L.device)
    return cholesky_solve(one.expand(L.shape), L, upper)

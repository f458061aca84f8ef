"""Equations with matrices: solve, inverse, determinant, least squares.

    A @ x = b      with A[order] = L @ U: forward through L y = b[order], back through U x = y
    det(A)         the product of U's diagonal, with the sign of the row exchanges
"""
import torch
from torch.linalg._factorisations import qr
from torch.linalg._lu import Factors, determinant, inverse, log_determinant, solution
from torch.linalg._matrices import (_LinAlgError, check_floating, check_matrix, check_same_dtype,
                                    check_solvable, check_square, first_failure, result_type,
                                    transposed)
from torch.linalg._singular_values import numerical_rank, pinv, svdvals
from torch.linalg._triangles import solve_triangular

_SlogDet = result_type("linalg_slogdet", ["sign", "logabsdet"])
_InvEx = result_type("linalg_inv_ex", ["inverse", "info"])
_SolveEx = result_type("linalg_solve_ex", ["result", "info"])
_Lstsq = result_type("linalg_lstsq", ["solution", "residuals", "rank", "singular_values"])


# ---- Solving ------------------------------------------------------------------------------------

def _solve(name, A, B, left):
    check_square(name, A, kernel="lu")
    check_floating(name, B)
    check_same_dtype(name, A, B)
    # A vector, or a batch of as many vectors as there are matrices.
    vector = B.dim() == 1 or (A.dim() - 1 == B.dim() and B.shape == A.shape[:-1])
    if vector:
        B = B.unsqueeze(-1)
    check_solvable(name, A, B, left, A.size(-1) == B.size(-2 if left or vector else -1))
    if not (left or vector):
        B = transposed(B)
    factors = Factors(A)
    batch = torch.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    X = solution(A.expand(batch + A.shape[-2:]), B.expand(batch + B.shape[-2:]), factors, across=not left)
    if vector:
        return X.squeeze(-1), factors.info
    return (X if left else transposed(X)), factors.info


@torch.compiler.disable(reason="whether a matrix is singular is in its numbers")
def solve(A, B, *, left=True):
    """X with A @ X = B, or X @ A = B."""
    X, info = _solve("linalg.solve", A, B, left)
    failure = first_failure(info)
    if failure:
        raise _LinAlgError(f"torch.linalg.solve: {failure[0]}The solver failed because the input matrix "
                           "is singular.")
    return X


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def solve_ex(A, B, *, left=True, check_errors=False):
    """As `solve`, and where a matrix was singular: from 1, 0 where none was."""
    if check_errors:
        info = torch.zeros(A.shape[:-2], dtype=torch.int32, device=A.device)
        return _SolveEx(solve(A, B, left=left), info)
    return _SolveEx(*_solve("linalg.solve", A, B, left))


def _inverse(A):
    check_square("linalg.inv", A)
    factors = Factors(A)
    return inverse(A, factors), factors.info


def _check_invertible(info):
    failure = first_failure(info)
    if failure:
        where, step = failure
        raise _LinAlgError(f"linalg.inv: {where}The diagonal element {step} is zero, the inversion could "
                           "not be completed because the input matrix is singular.")


@torch.compiler.disable(reason="whether a matrix is singular is in its numbers")
def inv(A):
    """The matrix that times A is the identity."""
    found, info = _inverse(A)
    _check_invertible(info)
    return found


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def inv_ex(A, *, check_errors=False):
    """The inverse, and where the matrix was singular: from 1, 0 where it was not."""
    found, info = _inverse(A)
    if check_errors:
        _check_invertible(info)
    return _InvEx(found, info)


def tensorinv(A, ind=2):
    """The inverse of A as a matrix of its first `ind` dimensions by the others."""
    front, back = A.shape[:ind], A.shape[ind:]
    return inv(A.reshape(front.numel(), back.numel())).reshape(back + front)


def tensorsolve(A, B, dims=None):
    """X with tensordot(A, X, X.dim()) = B."""
    if dims is not None:
        kept = [d for d in range(A.dim()) if d not in dims]
        A = A.permute(kept + list(dims))
    shape = A.shape[B.dim():]
    return solve(A.reshape(B.numel(), shape.numel()), B.reshape(-1)).reshape(shape)


# ---- Determinants -------------------------------------------------------------------------------

def _factors_for_determinant(A):
    """Those of the transpose where rows lie one behind the other, as in PyTorch, which copies nothing for
    LAPACK then: so results round alike."""
    return Factors(A, turned=A.is_contiguous())


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def det(A):
    """The determinant."""
    check_square("linalg.det", A, kernel="lu")
    return determinant(A, _factors_for_determinant(A))


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def slogdet(A):
    """The sign of the determinant, and the logarithm of its magnitude."""
    check_square("linalg.slogdet", A)
    factors = _factors_for_determinant(A)
    sign = factors.diagonal.sign().prod(-1) * factors.sign_of_exchanges()
    return _SlogDet(sign, log_determinant(A, factors))


# ---- Least squares ------------------------------------------------------------------------------

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@torch.compiler.disable(reason="a rank is in the numbers")
def lstsq(A, B, rcond=None, *, driver=None):
    """X for which the sum of squares of A @ X - B is least; of several the smallest."""
    check_matrix("torch.linalg.lstsq", A)
    check_same_dtype("torch.linalg.lstsq", A, B, "input", "other")
    driver = "gelsy" if driver is None else driver
    if driver not in _DRIVERS:
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, "
                           "gelss)")
    vector = B.dim() == A.dim() - 1
    right = B.unsqueeze(-1) if vector else B
    height, width = A.shape[-2:]
    if right.size(-2) != height:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    values = svdvals(A.detach())
    rank = numerical_rank(values, A, rcond)
    full = bool((rank == width).all())
    if height >= width and full:
        Q, R = qr(A)
        X = solve_triangular(R, transposed(Q) @ right, upper=True)
    else:
        X = pinv(A, rtol=rcond) @ right
    none = A.new_empty(0)
    over = driver != "gelsy" and height > width and full
    return _Lstsq(X.squeeze(-1) if vector else X,
                  (A @ X - right).square().sum(-2) if over else none,
                  rank if driver != "gels" else rank.new_empty(0),
                  values if driver in ("gelsd", "gelss") else none)

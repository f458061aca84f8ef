"""Matrices as products: LU with row exchanges, Cholesky, QR.

    cholesky([[4, 2], [2, 5]])    column 0 is [4, 2] / sqrt(4) = [2, 1]; what is left of the matrix,
                                  5 - 1 * 1 = 4, gives column 1: [[2, 0], [1, 2]]

Each goes through the columns from the left (Golub and Van Loan, Matrix Computations, 3.2, 4.2 and 5.2):
a step finishes a column and takes its part off what is right of it. All matrices of a batch go
together. The signs are LAPACK's.
"""
import torch
from torch.linalg._matrices import (_LinAlgError, change_of, check_matrix, check_square, eye_like,
                                    first_failure, from_lower, is_recorded, result_type, transposed)
from torch.linalg._triangles import solve_triangular

_QR = result_type("linalg_qr", ["Q", "R"])
_LU = result_type("linalg_lu", ["P", "L", "U"])
_LUFactor = result_type("linalg_lu_factor", ["LU", "pivots"])
_CholeskyEx = result_type("linalg_cholesky_ex", ["L", "info"])


# ---- LU -----------------------------------------------------------------------------------------

def packed_lu(A):
    """L below the diagonal of one matrix and U on and above it; the row of A that each of its rows is;
    the row that each step exchanged its own with."""
    height, width = A.shape[-2:]
    rows = torch.arange(height, device=A.device)
    order = rows.expand(A.shape[:-1])
    pivots = []
    for k in range(min(height, width)):
        pivot = A[..., k:, k].detach().abs().argmax(-1, keepdim=True) + k
        exchanged = torch.where(rows == k, pivot, torch.where(rows == pivot, k, rows))
        A = A.gather(-2, exchanged.unsqueeze(-1).expand(A.shape))
        order = order.gather(-1, exchanged)
        pivots.append(pivot)
        head = A[..., k:k + 1, k:k + 1]
        # A column of zeros stays as it is.
        factors = A[..., k + 1:, k:k + 1] / torch.where(head == 0, 1, head)
        rest = A[..., k + 1:, k + 1:] - factors * A[..., k:k + 1, k + 1:]
        below = torch.cat([A[..., k + 1:, :k], factors, rest], -1)
        A = torch.cat([A[..., :k + 1, :], below], -2)
    if not pivots:
        return A, order, rows[:0].expand(A.shape[:-2] + (0,))
    return A, order, torch.cat(pivots, -1)


def diagonal_of_upper(packed):
    return packed.diagonal(0, -2, -1)


def first_zero(numbers):
    """The place, from 1, of the first zero of a row; 0: there is none."""
    zero = numbers == 0
    place = zero.to(torch.int32).argmax(-1) + 1 if numbers.size(-1) else zero.sum(-1)
    return torch.where(zero.any(-1), place, 0).to(torch.int32)


def _check_pivoted(name, A, pivot):
    check_matrix(name, A)
    if not pivot:
        raise NotImplementedError(f"{name}: LU without pivoting is not implemented on the "
                                  f"{A.device.type.upper()}")


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def lu_factor(A, *, pivot=True):
    """L and U in one matrix, and the row (from 1) that each step exchanged its own with."""
    _check_pivoted("linalg.lu_factor", A, pivot)
    packed, order, pivots = packed_lu(A)
    return _LUFactor(packed, (pivots + 1).to(torch.int32))


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def lu(A, *, pivot=True):
    """P, L and U with A = P @ L @ U."""
    _check_pivoted("linalg.lu", A, pivot)
    packed, order, pivots = packed_lu(A)
    height, width = A.shape[-2:]
    inner = min(height, width)
    L = packed[..., :inner].tril(-1) + torch.eye(height, inner, dtype=A.dtype, device=A.device)
    P = transposed(eye_like(A, height).gather(-2, order.unsqueeze(-1).expand(A.shape[:-1] + (height,))))
    return _LU(P, L, packed[..., :inner, :].triu())


# ---- Cholesky -----------------------------------------------------------------------------------

def _symmetric(A):
    """The matrix of which the lower half is given; the gradient goes to both halves alike."""
    return from_lower(A.detach()) + change_of((A + transposed(A)) * 0.5)


def _columns(A):
    """The columns of L, and in which step (from 1) a root was not positive; 0: in none."""
    size = A.size(-1)
    rest = _symmetric(A)
    columns, failed = [], torch.zeros(A.shape[:-2], dtype=torch.int32, device=A.device)
    for k in range(size):
        head = rest[..., :1, :1]
        bad = torch.logical_not(head.detach() > 0).squeeze(-1).squeeze(-1)
        failed = torch.where((failed == 0) & bad, k + 1, failed)
        root = head.sqrt()
        column = torch.cat([root, rest[..., 1:, :1] / root], -2)
        columns.append(torch.cat([column.new_zeros(A.shape[:-2] + (k, 1)), column], -2))
        below = column[..., 1:, :]
        rest = rest[..., 1:, 1:] - below * transposed(below)
    return (torch.cat(columns, -1) if columns else A), failed.to(torch.int32)


@torch.compiler.disable(reason="a factorisation looks at the numbers")
def cholesky_ex(A, *, upper=False, check_errors=False):
    """L with A = L @ L.mT, and in which step that failed."""
    check_square("linalg.cholesky", A)
    L, info = _columns(transposed(A) if upper else A)
    if check_errors:
        _check_positive(info)
    return _CholeskyEx(transposed(L) if upper else L, info)


@torch.compiler.disable(reason="a factorisation looks at the numbers")
def cholesky(A, *, upper=False):
    """The lower triangle L with A = L @ L.mT, of a symmetric matrix of which it reads the lower half."""
    check_square("linalg.cholesky", A)
    L, info = _columns(transposed(A) if upper else A)
    _check_positive(info)
    return transposed(L) if upper else L


def _check_positive(info):
    failure = first_failure(info)
    if failure:
        where, step = failure
        raise _LinAlgError(f"linalg.cholesky: {where}The factorization could not be completed because the "
                           f"input is not positive-definite (the leading minor of order {step} is not "
                           "positive-definite).")


# ---- QR -----------------------------------------------------------------------------------------

def _reflection(column):
    """A vector v with 1 in front and a factor t so that (I - t v v') makes zeros of all but the first
    of a column's numbers; t is 0 where they are zeros already."""
    scale = column.abs().amax(-2, keepdim=True)
    column = column / torch.where(scale == 0, 1, scale)
    head, tail = column[..., :1, :], column[..., 1:, :]
    plain = (tail == 0).all(-2, keepdim=True)
    length = torch.where(plain, 1, column.square().sum(-2, keepdim=True).sqrt())
    onto = torch.where(head < 0, length, -length)
    factor = torch.where(plain, 0, (onto - head) / onto)
    tail = tail / torch.where(plain, 1, head - onto)
    return torch.cat([torch.ones_like(head), tail], -2), factor


def _reflected(M, vector, factor):
    return M - vector * factor @ (transposed(vector) @ M)


def _reflected_from(M, k, vector, factor):
    """The rows from `k` on reflected."""
    return torch.cat([M[..., :k, :], _reflected(M[..., k:, :], vector, factor)], -2)


def householder(A, kept):
    """Q of `kept` columns, and R, without history."""
    height, width = A.shape[-2:]
    steps, R = [], A
    for k in range(min(height - 1, width)):
        vector, factor = _reflection(R[..., k:, k:k + 1])
        R = _reflected_from(R, k, vector, factor)
        steps.append((k, vector, factor))
    Q = eye_like(A, height)[..., :kept].clone()
    for k, vector, factor in reversed(steps):
        Q = _reflected_from(Q, k, vector, factor)
    return Q, R[..., :kept, :].triu()


def _with_derivatives(A, Q, R):
    """Q and R with their derivative: of dA = dQ R + Q dR, where Q' dQ is antisymmetric."""
    inner = R.size(-2)
    change = change_of(A)
    square = R[..., :inner]
    over = solve_triangular(square, change[..., :inner], upper=True, left=False)
    within = transposed(Q) @ over
    turn = within.tril(-1) - transposed(within.tril(-1))
    left = Q + Q @ turn + (over - Q @ within)
    return left, R + transposed(Q) @ change - turn @ R


@torch.compiler.disable(reason="a factorisation goes through the columns")
def qr(A, mode="reduced"):
    """Q with orthonormal columns and the upper triangle R with A = Q @ R."""
    check_matrix("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' "
                           "(default), 'r', or 'complete'")
    height, width = A.shape[-2:]
    with torch.no_grad():
        Q, R = householder(A.detach(), height if mode == "complete" else min(height, width))
    if is_recorded(A):
        if mode == "r":
            raise RuntimeError("The derivative of linalg.qr depends on Q, which is not computed when "
                               "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to "
                               "differentiate through linalg.qr.")
        if mode == "complete" and height > width:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows "
                               "> ncols.")
        Q, R = _with_derivatives(A, Q, R)
    return _QR(A.new_empty(0) if mode == "r" else Q, R)

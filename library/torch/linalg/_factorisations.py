"""Matrices as products: Cholesky and QR; LU is in `_lu`.

    cholesky([[4, 2], [2, 5]])    column 0 is [4, 2] / sqrt(4) = [2, 1]; what is left of the matrix,
                                  5 - 1 * 1 = 4, gives column 1: [[2, 0], [1, 2]]

LAPACK does it where it serves; else each goes through the columns from the left (Golub and Van Loan,
Matrix Computations, 4.2 and 5.2): a step finishes a column and takes its part off what is right of it.
All matrices of a batch go together. The signs are LAPACK's.
"""
import _lapack
import torch
from torch.autograd import Function
from torch.linalg._matrices import (_LinAlgError, check_matrix, check_square, eye_like, first_failure,
                                    from_lower, is_recorded, result_type, transposed)
from torch.linalg._triangles import solve_triangular

_QR = result_type("linalg_qr", ["Q", "R"])
_CholeskyEx = result_type("linalg_cholesky_ex", ["L", "info"])


# ---- Cholesky -----------------------------------------------------------------------------------

def _by_column(A):
    size = A.size(-1)
    rest = from_lower(A)
    columns, failed = [], torch.zeros(A.shape[:-2], dtype=torch.int32, device=A.device)
    for k in range(size):
        head = rest[..., :1, :1]
        bad = torch.logical_not(head > 0).squeeze(-1).squeeze(-1)
        failed = torch.where((failed == 0) & bad, k + 1, failed)
        root = head.sqrt()
        column = torch.cat([root, rest[..., 1:, :1] / root], -2)
        columns.append(torch.cat([column.new_zeros(A.shape[:-2] + (k, 1)), column], -2))
        below = column[..., 1:, :]
        rest = rest[..., 1:, 1:] - below * transposed(below)
    return (torch.cat(columns, -1) if columns else A), failed.to(torch.int32)


class _Cholesky(Function):
    """From dA = dL @ L.mT + L @ dL.mT; the gradient goes to both halves of A alike."""
    _node_name = "LinalgCholeskyExBackward0"

    @staticmethod
    def forward(ctx, A, found):
        L, = found
        ctx.save_for_backward(L)
        return L

    @staticmethod
    def backward(ctx, gradient):
        L, = ctx.saved_tensors
        whole = from_lower(transposed(L) @ gradient)
        across = solve_triangular(L, whole, upper=False, left=False)
        return 0.5 * solve_triangular(transposed(L), across, upper=True), None


def _lower(A):
    """L with A = L @ L.mT, and in which step (from 1) a root was not positive; 0: in none."""
    given = A.detach()
    L, info = _lapack.cholesky(given) if _lapack.serves(given) else _by_column(given)
    return (_Cholesky.apply(A, [L]) if is_recorded(A) else L), info


@torch.compiler.disable(reason="a factorisation looks at the numbers")
def cholesky_ex(A, *, upper=False, check_errors=False):
    """L with A = L @ L.mT, and in which step that failed."""
    check_square("linalg.cholesky", A, kernel="cholesky")
    L, info = _lower(transposed(A) if upper else A)
    if check_errors:
        _check_positive(info)
    return _CholeskyEx(transposed(L) if upper else L, info)


@torch.compiler.disable(reason="a factorisation looks at the numbers")
def cholesky(A, *, upper=False):
    """The lower triangle L with A = L @ L.mT, of a symmetric matrix of which it reads the lower half."""
    check_square("linalg.cholesky", A, kernel="cholesky")
    L, info = _lower(transposed(A) if upper else A)
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
    if _lapack.serves(A):
        return _lapack.qr(A, kept)
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


def _symmetric(upper):
    """The symmetric matrix of which an upper triangle is given."""
    return upper + transposed(upper.triu(1))


class _QRFactors(Function):
    """Of Q and R with dA = dQ @ R + Q @ dR, where Q.mT @ dQ is antisymmetric. Columns on the right of a
    square are Q times those of R."""
    _node_name = "LinalgQrBackward0"

    @staticmethod
    def forward(ctx, A, found, mode):
        ctx.save_for_backward(*found)
        ctx.mode = mode
        return found

    @staticmethod
    def backward(ctx, of_Q, of_R):
        Q, R = ctx.saved_tensors
        if ctx.mode == "r":
            raise RuntimeError("The derivative of linalg.qr depends on Q, which is not computed when "
                               "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to "
                               "differentiate through linalg.qr.")
        inner, width = Q.size(-1), R.size(-1)
        if inner > width:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows "
                               "> ncols.")
        square, of_square = R[..., :inner], of_R[..., :inner]
        of_Q = of_Q + Q @ R[..., inner:] @ transposed(of_R[..., inner:])
        turn = _symmetric((of_square @ transposed(square) - transposed(Q) @ of_Q).triu())
        of_front = solve_triangular(transposed(square), of_Q + Q @ turn, upper=False, left=False)
        return torch.cat([of_front, Q @ of_R[..., inner:]], -1), None, None


@torch.compiler.disable(reason="a factorisation goes through the columns")
def qr(A, mode="reduced"):
    """Q with orthonormal columns and the upper triangle R with A = Q @ R."""
    check_matrix("linalg.qr", A, kernel="geqrf")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' "
                           "(default), 'r', or 'complete'")
    height, width = A.shape[-2:]
    with torch.no_grad():
        Q, R = householder(A.detach(), height if mode == "complete" else min(height, width))
        found = (A.new_empty(0) if mode == "r" else Q, R)
    return _QR(*(_QRFactors.apply(A, found, mode) if is_recorded(A) else found))

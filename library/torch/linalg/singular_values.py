"""Singular values and eigenvalues, by rotations of pairs of columns.

A turn of two columns of A against each other can make them orthogonal. Turning all pairs again and
again makes all columns orthogonal at once (one-sided Jacobi: Hestenes 1958; Demmel and Veselic 1992):
their lengths are the singular values, their directions U, and the turns together V.

    A V = U S

Half of the columns can turn against the other half in one operator, so a sweep over all pairs is as many
steps as there are columns, after each of which every column but the first moves on by one place, as in
a round-robin tournament. The turns have no derivative recorded: results are written once more as a
product with A whose derivative is theirs.
"""
import torch
from torch.linalg._matrices import check_matrix, check_square, eye_like, result_type, transposed

_SVD = result_type("linalg_svd", ["U", "S", "Vh"])
_Eigh = result_type("linalg_eigh", ["eigenvalues", "eigenvectors"])

_MOST_SWEEPS = 30


# ---- Turning columns ----------------------------------------------------------------------------

def _turn(M, height):
    """Turns the columns of the first half against the last ones, so that their parts above `height` are
    orthogonal; also how far they were from that."""
    half = M.size(-1) // 2
    left, right = M[..., :half], M[..., half:].flip(-1)
    above_left, above_right = left[..., :height, :], right[..., :height, :]
    a = (above_left * above_left).sum(-2, keepdim=True)
    b = (above_right * above_right).sum(-2, keepdim=True)
    g = (above_left * above_right).sum(-2, keepdim=True)
    size = (a * b).sqrt()
    crooked = torch.where(size == 0, 0, g.abs() / size)
    straight = crooked <= torch.finfo(M.dtype).eps
    zeta = (b - a) / (2 * torch.where(straight, 1, g))
    tangent = torch.where(zeta < 0, -1, 1) / (zeta.abs() + (1 + zeta * zeta).sqrt())
    tangent = torch.where(straight, 0, tangent)
    cosine = 1 / (1 + tangent * tangent).sqrt()
    sine = cosine * tangent
    turned = torch.cat([cosine * left - sine * right, (sine * left + cosine * right).flip(-1)], -1)
    return turned, crooked.amax()


def _orthogonalised(A):
    """A V, whose columns are orthogonal, and V; in the order of falling length."""
    height, width = A.shape[-2:]
    count = width + width % 2
    M = torch.cat([A, eye_like(A, width)], -2)
    if count != width:
        M = torch.cat([M, M.new_zeros(M.shape[:-1] + (1,))], -1)
    for _ in range(_MOST_SWEEPS if width > 1 else 0):
        worst = 0.0
        for _ in range(count - 1):
            M, crooked = _turn(M, height)
            worst = max(worst, crooked.item())
            M = torch.cat([M[..., :1], M[..., -1:], M[..., 1:-1]], -1)
        if not worst > 4 * torch.finfo(M.dtype).eps:
            break
    M = M[..., :width]
    lengths = M[..., :height, :].square().sum(-2).sqrt()
    order = lengths.argsort(-1, descending=True)
    M = M.gather(-1, order.unsqueeze(-2).expand(M.shape))
    return M[..., :height, :], M[..., height:, :], lengths.gather(-1, order)


def _completed(U, S):
    """Orthonormal columns also where a singular value is 0, and as many of them as there are rows."""
    height, width = U.shape[-2:]
    from torch.linalg.factorisations import qr
    Q, R = qr(torch.cat([U, eye_like(U, height)], -1), "complete")
    # Where U is sound, Q has its columns but for their signs.
    signs = R.diagonal(0, -2, -1)[..., :width].sign().unsqueeze(-2)
    sound = (S > 0).unsqueeze(-2)
    kept = torch.where(sound, U, Q[..., :width] * torch.where(signs == 0, 1, signs))
    return torch.cat([kept, Q[..., width:]], -1)


def _svd(A):
    """U, S and V of a matrix that is at least as high as wide, without history."""
    product, V, S = _orthogonalised(A)
    U = product / torch.where(S == 0, 1, S).unsqueeze(-2)
    # One sign of two: the largest number of a column of U is negative, as LAPACK's first one mostly is.
    largest = U.gather(-2, U.abs().argmax(-2, keepdim=True))
    sign = torch.where(largest > 0, -1, 1).to(A.dtype)
    return U * sign, S, V * sign


def _svd_of_any(A):
    if A.size(-2) >= A.size(-1):
        return _svd(A)
    V, S, U = _svd(transposed(A))
    return U, S, V


# ---- Singular values ----------------------------------------------------------------------------

def _values(A, U, V):
    """u' A v for each pair of columns: the singular values, with their derivative."""
    return (U * (A @ V)).sum(-2)


def _with_derivatives(A, U, S, V):
    """U and V with the derivative that they have where all singular values differ and none is 0
    (Townsend, Differentiating the SVD, 2016)."""
    change = A - A.detach()  # 0, but for its derivative
    inner = transposed(U) @ change @ V
    row, column = S.unsqueeze(-2), S.unsqueeze(-1)
    gap = row * row - column * column
    apart = torch.where(gap == 0, 0, 1 / torch.where(gap == 0, 1, gap))
    turn_left = apart * (inner * row + column * transposed(inner))
    turn_right = apart * (column * inner + transposed(inner) * row)
    rest_left = change @ V - U @ inner
    rest_right = transposed(change) @ U - V @ transposed(inner)
    left = U + U @ turn_left + rest_left / row
    return left, V + V @ turn_right + rest_right / row


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def svd(A, full_matrices=True, *, driver=None, out=None):
    """U, S and Vh with A = U @ diag(S) @ Vh."""
    check_matrix("linalg.svd", A, kernel="linalg_svd")
    with torch.no_grad():
        U, S, V = _svd_of_any(A.detach())
    if A.requires_grad and torch.is_grad_enabled():
        if full_matrices and A.size(-1) != A.size(-2):
            raise RuntimeError("svd_backward: The singular vectors in the case of full_matrices=True "
                               "have no derivative here; pass full_matrices=False")
        values = _values(A, U, V)
        U, V = _with_derivatives(A, U, S, V)
        S = values
    elif full_matrices:
        U, V = _completed(U, S)[..., :A.size(-2)], _completed(V, S)[..., :A.size(-1)]
    else:
        inner = S.size(-1)
        U, V = _completed(U, S)[..., :inner], _completed(V, S)[..., :inner]
    return _SVD(U, S, transposed(V))


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def svdvals(A, *, driver=None, out=None):
    """The singular values, the largest first."""
    check_matrix("linalg.svdvals", A, kernel="linalg_svd")
    with torch.no_grad():
        U, S, V = _svd_of_any(A.detach())
    return _values(A, U, V) if A.requires_grad and torch.is_grad_enabled() else S


def numerical_rank(S, A, rtol=None, atol=None):
    """How many singular values are not 0 but for rounding."""
    if rtol is None:
        rtol = max(A.shape[-2:]) * torch.finfo(A.dtype).eps if not atol else 0.0
    least = S.amax(-1, keepdim=True) * rtol
    if atol is not None:
        least = least.clamp(min=atol)
    return (S > least).sum(-1)


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def pinv(A, *, atol=None, rtol=None, hermitian=False, out=None):
    """The pseudo-inverse: the inverse of what A does where it does anything."""
    check_matrix("linalg.pinv", A, kernel="linalg_svd")
    with torch.no_grad():
        U, S, V = _svd_of_any(A.detach())
        kept = torch.arange(S.size(-1), device=A.device) < numerical_rank(S, A, rtol, atol).unsqueeze(-1)
        inverted = torch.where(kept, 1 / torch.where(kept, S, 1), 0)
        P = V * inverted.unsqueeze(-2) @ transposed(U)
    if not (A.requires_grad and torch.is_grad_enabled()):
        return P
    # The derivative at constant rank (Golub and Pereyra, 1973), of terms that are 0 but for it.
    change = A - A.detach()
    fixed = A.detach()
    left = eye_like(A, A.size(-1)) - P @ fixed
    right = eye_like(A, A.size(-2)) - fixed @ P
    across = transposed(change)
    return (P - P @ change @ P + P @ transposed(P) @ across @ right
            + left @ across @ transposed(P) @ P)


# ---- Eigenvalues --------------------------------------------------------------------------------

def _eigenvectors(A, UPLO):
    """Of the symmetric matrix of which one half is given: itself, its eigenvalues from the least on, and
    their vectors."""
    if UPLO not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    half = A if UPLO == "L" else transposed(A)
    A = half.tril() + transposed(half.tril(-1))
    # No eigenvalue is below minus this; moved by it, they are the singular values.
    bound = A.abs().sum(-1).amax(-1).unsqueeze(-1).unsqueeze(-1)
    U, S, V = _svd(A + bound * eye_like(A, A.size(-1)))
    V = V.flip(-1)
    return A, _values(A, V, V), V


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def eigh(A, UPLO="L", *, out=None):
    """The eigenvalues of a symmetric matrix, from the least on, and the eigenvectors as columns."""
    check_square("linalg.eigh", A, kernel="linalg_eigh")
    with torch.no_grad():
        symmetric, values, V = _eigenvectors(A.detach(), UPLO)
    if A.requires_grad and torch.is_grad_enabled():
        change = (A + transposed(A)) * 0.5
        inner = transposed(V) @ (change - change.detach()) @ V
        gap = values.unsqueeze(-2) - values.unsqueeze(-1)
        apart = torch.where(gap == 0, 0, 1 / torch.where(gap == 0, 1, gap))
        values = values + inner.diagonal(0, -2, -1)
        V = V + V @ (apart * inner)
    return _Eigh(values, V)


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def eigvalsh(A, UPLO="L", *, out=None):
    """The eigenvalues of a symmetric matrix, from the least on."""
    check_square("linalg.eigvalsh", A, kernel="linalg_eigh")
    with torch.no_grad():
        symmetric, values, V = _eigenvectors(A.detach(), UPLO)
    if A.requires_grad and torch.is_grad_enabled():
        return values + _values(A - A.detach(), V, V)
    return values

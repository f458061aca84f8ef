"""Singular values and eigenvalues: by LAPACK where it serves, else by rotations of pairs of columns.

A turn of two columns of A against each other can make them orthogonal. Turning all pairs again and
again makes all columns orthogonal at once (one-sided Jacobi: Hestenes 1958; Demmel and Veselic 1992):
their lengths are the singular values, their directions U, and the turns together V.

    A V = U S

Half of the columns can turn against the other half in one operator, so a sweep over all pairs is as many
steps as there are columns, after each of which every column but the first moves on by one place, as in
a round-robin tournament. No derivative is recorded on either way: what is found has one as a whole, of
operators on what was found, which has a derivative itself.
"""
import _lapack
import torch
from torch.autograd import Function
from torch.linalg._factorisations import householder
from torch.linalg._matrices import (_LinAlgError, check_matrix, check_square, eye_like, first_failure,
                                    from_lower, is_recorded, result_type, transposed)
from torch._output import scalar_name

_SVD = result_type("linalg_svd", ["U", "S", "Vh"])
_Eigh = result_type("linalg_eigh", ["eigenvalues", "eigenvectors"])

_MOST_SWEEPS = 30
# What a function looks for.
_FOUND = {"linalg.svd": "singular values", "linalg.det": "singular values",
          "linalg.eigh": "eigenvalues"}


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
    size = a.sqrt() * b.sqrt()
    crooked = torch.where(size > 0, g.abs() / size, 0)  # where NaN is, there is nothing to turn
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
    if A.numel() == 0:
        return A, eye_like(A, width), A.new_zeros(A.shape[:-2] + (width,))
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


def _completed(U):
    """Orthonormal columns also where a singular value is 0 but for rounding, and as many as rows."""
    height, width = U.shape[-2:]
    Q, R = householder(torch.cat([U, eye_like(U, height)], -1), height)
    signs = R.diagonal(0, -2, -1)[..., :width].sign().unsqueeze(-2)
    return torch.cat([Q[..., :width] * torch.where(signs == 0, 1, signs), Q[..., width:]], -1)


def _svd(A):
    """U, S and V of a matrix that is at least as high as wide, without history. A column of U is zeros or
    worth nothing where its singular value is 0 but for rounding."""
    if A.numel() == 0:
        product, V, S = _orthogonalised(A)
        return product, S, V
    scale = A.abs().amax((-2, -1), keepdim=True)
    scale = torch.where(scale == 0, 1, scale)
    product, V, S = _orthogonalised(A / scale)
    U = product / torch.where(S == 0, 1, S).unsqueeze(-2)
    # One sign of two: the largest number of a column of U is negative, as LAPACK's first one mostly is.
    largest = U.gather(-2, U.abs().argmax(-2, keepdim=True))
    sign = torch.where(largest > 0, -1, 1).to(A.dtype)
    return U * sign, S * scale.squeeze(-1), V * sign


def _check_finite(name, A):
    strange = torch.logical_not(torch.isfinite(A)).flatten(-2).any(-1)
    failure = first_failure(strange.to(torch.int32))
    if failure:
        raise _LinAlgError(f"{name}: {failure[0]}The algorithm failed to converge because the input matrix "
                           "contained non-finite values.")


def _check_converged(name, info):
    failure = first_failure(info)
    if failure:
        where, code = failure
        raise _LinAlgError(f"{name}: {where}The algorithm failed to converge because the input matrix is "
                           f"ill-conditioned or has too many repeated {_FOUND[name]} (error code: {code}).")


def _by_lapack(name, A, full):
    _check_finite(name, A)
    U, S, Vh, info = _lapack.svd(A, full, True)
    _check_converged(name, info)
    return U, S, transposed(Vh)


def _svd_of_any(name, A):
    """U, S and V without history, of as many columns as there are singular values. By turning, those of U
    or V that belong to a value of 0 may be worth nothing."""
    if _lapack.serves(A):
        return _by_lapack(name, A, full=False)
    _check_finite(name, A)
    if A.size(-2) >= A.size(-1):
        return _svd(A)
    V, S, U = _svd(transposed(A))
    return U, S, V


def _orthonormal_svd(name, A, full):
    """U, S and V without history, all columns of U and V orthonormal; as many as rows, where `full` asks for
    them, or turning brings them along."""
    if _lapack.serves(A):
        return _by_lapack(name, A, full)
    U, S, V = _svd_of_any(name, A)
    return _completed(U), S, _completed(V)


def _values_alone(name, A):
    """The singular values without history."""
    if not _lapack.serves(A):
        return _svd_of_any(name, A)[1]
    _check_finite(name, A)
    S, info = _lapack.svd(A, False, False)[1::2]
    _check_converged(name, info)
    return S


# ---- Singular values ----------------------------------------------------------------------------

def _apart(values):
    """How much greater each value of a row is than each of a column; 1 between one and itself."""
    itself = torch.eye(values.size(-1), dtype=torch.bool, device=values.device)
    return torch.where(itself, 1, values.unsqueeze(-2) - values.unsqueeze(-1))


def _turn_of(vectors, gradient):
    """How the vectors turn among each other: what is antisymmetric."""
    inner = transposed(vectors) @ gradient
    return inner - transposed(inner)


def _outside(vectors, gradient):
    """The part of the gradient that the vectors do not span."""
    return gradient - vectors @ (transposed(vectors) @ gradient)


class _SingularValues(Function):
    """U, S and Vh, of which the columns beyond the singular values have no derivative (Townsend,
    Differentiating the SVD, 2016)."""
    _node_name = "LinalgSvdBackward0"

    @staticmethod
    def forward(ctx, A, found):
        ctx.save_for_backward(*found)
        ctx.set_materialize_grads(False)
        return found

    @staticmethod
    def backward(ctx, of_U, of_S, of_Vh):
        U, S, Vh = ctx.saved_tensors
        count = S.size(-1)
        row, column = S.unsqueeze(-2), S.unsqueeze(-1)
        U, V = U[..., :count], transposed(Vh)[..., :count]
        inner = 0 if of_S is None else torch.diag_embed(of_S)
        if of_U is not None:
            of_U = of_U[..., :count]
            inner = inner + _turn_of(U, of_U) / _apart(S * S) * row
        if of_Vh is not None:
            of_V = transposed(of_Vh)[..., :count]
            inner = inner + column * (_turn_of(V, of_V) / _apart(S * S))
        of_A = U @ inner @ transposed(V)
        if of_U is not None and U.size(-2) > count:
            of_A = of_A + _outside(U, of_U) / row @ transposed(V)
        if of_Vh is not None and V.size(-2) > count:
            of_A = of_A + U @ transposed(_outside(V, of_V) / row)
        return of_A, None


def _parts(name, A, full):
    """U, S and Vh, with derivatives."""
    with torch.no_grad():
        U, S, V = _orthonormal_svd(name, A.detach(), full)
        inner = S.size(-1)
        found = (U, S, transposed(V)) if full else (U[..., :inner], S, transposed(V[..., :inner]))
    return _SingularValues.apply(A, found) if is_recorded(A) else found


def cofactors(A):
    """The derivative of the determinant, also where that is 0: of each place the product of the singular
    values but one, turned back."""
    U, S, Vh = _parts("linalg.det", A, full=False)
    itself = torch.eye(S.size(-1), dtype=torch.bool, device=A.device)
    others = torch.where(itself, 1, S.unsqueeze(-2)).prod(-1)
    sign = torch.linalg.det(U.detach()) * torch.linalg.det(Vh.detach())
    return sign.unsqueeze(-1).unsqueeze(-1) * (U * others.unsqueeze(-2)) @ Vh


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def svd(A, full_matrices=True, *, driver=None):
    """U, S and Vh with A = U @ diag(S) @ Vh."""
    check_matrix("linalg.svd", A, kernel="linalg_svd")
    return _SVD(*_parts("linalg.svd", A, full_matrices))


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def svdvals(A, *, driver=None):
    """The singular values, the largest first."""
    check_matrix("linalg.svd", A, kernel="linalg_svd")
    if is_recorded(A):
        return _parts("linalg.svd", A, False)[1]
    return _values_alone("linalg.svd", A.detach())


def numerical_rank(S, A, rtol=None, atol=None):
    """How many singular values are not 0 but for rounding."""
    if rtol is None:
        rtol = max(A.shape[-2:]) * torch.finfo(A.dtype).eps if not atol else 0.0
    if S.numel() == 0:
        return S.sum(-1).to(torch.int64)
    least = S.amax(-1, keepdim=True) * rtol
    if atol is not None:
        least = least.clamp(min=atol)
    return (S > least).sum(-1)


class _PseudoInverse(Function):
    """The derivative at constant rank (Golub and Pereyra, 1973)."""
    _node_name = "LinalgPinvBackward0"

    @staticmethod
    def forward(ctx, A, found):
        P, = found
        ctx.save_for_backward(A, P)
        return P

    @staticmethod
    def backward(ctx, gradient):
        A, P = ctx.saved_tensors
        across, P_across = transposed(gradient), transposed(P)
        left, right = across @ P, P @ across
        return (P_across @ (P @ (across - left @ A)) + (across - A @ right) @ P @ P_across
                - P_across @ gradient @ P_across), None


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None):
    """The pseudo-inverse: the inverse of what A does where it does anything."""
    if A.dim() < 2 or A.dtype not in (torch.float32, torch.float64):
        raise RuntimeError(f"linalg.pinv({scalar_name(A)}{{{list(A.shape)}}}): expected a tensor with 2 or more "
                           "dimensions of float, double, cfloat or cdouble types")
    rtol = rcond if rtol is None else rtol
    if hermitian:
        check_square("linalg.eigh", A)
    with torch.no_grad():
        U, S, V = _svd_of_any("linalg.svd", from_lower(A.detach()) if hermitian else A.detach())
        kept = torch.arange(S.size(-1), device=A.device) < numerical_rank(S, A, rtol, atol).unsqueeze(-1)
        inverted = torch.where(kept, 1 / torch.where(kept, S, 1), 0)
        P = V * inverted.unsqueeze(-2) @ transposed(U)
    return _PseudoInverse.apply(A, [P]) if is_recorded(A) else P


# ---- Eigenvalues --------------------------------------------------------------------------------

def _lengths_along(A, V):
    """v' A v for each column, over its length: the eigenvalues."""
    return (V * (A @ V)).sum(-2) / V.square().sum(-2)


def _turned_eigen(A):
    """Eigenvalues and eigenvectors by turning columns."""
    given = from_lower(A)
    if given.numel() == 0:
        return given.sum(-1), given.clone()
    # No eigenvalue is below minus this; moved by it, they are the singular values.
    bound = given.abs().sum(-1).amax(-1).unsqueeze(-1).unsqueeze(-1)
    V = _svd(given + bound * eye_like(given, given.size(-1)))[2].flip(-1)
    return _lengths_along(given, V), V


class _Eigenvalues(Function):
    """Eigenvalues and eigenvectors: the gradient goes to both halves of A alike."""
    _node_name = "LinalgEighBackward0"

    @staticmethod
    def forward(ctx, A, found):
        ctx.save_for_backward(*found)
        ctx.set_materialize_grads(False)
        return found

    @staticmethod
    def backward(ctx, of_values, of_V):
        values, V = ctx.saved_tensors
        inner = 0 if of_values is None else torch.diag_embed(of_values)
        if of_V is not None:
            inner = inner + 0.5 * _turn_of(V, of_V) / _apart(values)
        return V @ inner @ transposed(V), None


def _eigen(A, UPLO, vectors=True):
    """The eigenvalues, from the least on, and their vectors, if those are wanted, of the symmetric matrix of
    which one half is given, with their derivatives."""
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    recorded = is_recorded(A)
    with torch.no_grad():
        given = A.detach() if UPLO.upper() == "L" else transposed(A.detach())
        if _lapack.serves(given):
            values, V, info = _lapack.eigen(given, vectors or recorded)
            _check_converged("linalg.eigh", info)
        else:
            values, V = _turned_eigen(given)
    return _Eigenvalues.apply(A, (values, V)) if recorded else (values, V)


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def eigh(A, UPLO="L"):
    """The eigenvalues of a symmetric matrix, from the least on, and the eigenvectors as columns."""
    check_square("linalg.eigh", A, kernel="linalg_eigh", of_floats=False)
    return _Eigh(*_eigen(A, UPLO))


@torch.compiler.disable(reason="it turns columns until they are orthogonal")
def eigvalsh(A, UPLO="L"):
    """The eigenvalues of a symmetric matrix, from the least on."""
    check_square("linalg.eigh", A, kernel="linalg_eigh", of_floats=False)
    return _eigen(A, UPLO, vectors=False)[0]

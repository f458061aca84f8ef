"""LU: a matrix as a lower triangle times an upper one, with rows exchanged; what is solved by it.

    M = [[0, 2], [4, 6]]      order [1, 0]: M[order] = [[4, 6], [0, 2]] = L @ U
    M @ x = b                 forward through L y = b[order], back through U x = y

LAPACK does it where it serves; else steps go through the columns from the left (Golub and Van Loan,
Matrix Computations, 3.2): one finishes a column and takes its part off what is right of it. All
matrices of a batch go together.
"""
import _lapack
import torch
from torch.autograd import Function
from torch.linalg._matrices import (check_dtype, eye_like, first_failure, is_recorded, result_type,
                                    transposed)
from torch.linalg._singular_values import cofactors
from torch.linalg._triangles import triangle_solution

_LU = result_type("linalg_lu", ["P", "L", "U"])
_LUFactor = result_type("linalg_lu_factor", ["LU", "pivots"])
_LUFactorEx = result_type("linalg_lu_factor_ex", ["LU", "pivots", "info"])


# ---- Factorising --------------------------------------------------------------------------------

def _packed_by_column(A):
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
    pivots = torch.cat(pivots, -1) + 1 if pivots else rows[:0].expand(A.shape[:-2] + (0,))
    return A, order, pivots.to(torch.int32)


def _packed(A):
    """L below the diagonal of one matrix and U on and above it; the row of A that each of its rows is;
    the row, from 1, that each step exchanged its own with."""
    if not is_recorded(A) and _lapack.serves(A):
        return _lapack.lu(A.detach())
    return _packed_by_column(A)


def _first_zero(numbers):
    """The place, from 1, of the first zero of a row; 0: there is none."""
    zero = numbers == 0
    place = zero.to(torch.int32).argmax(-1) + 1 if numbers.size(-1) else zero.sum(-1)
    return torch.where(zero.any(-1), place, 0).to(torch.int32)


class Factors:
    """A square matrix, or a batch of them, or the transpose if it is `turned`, factorised, without history."""

    def __init__(self, A, turned=False):
        A = A.detach()
        self._turned = turned
        self._packed, self._order, self._pivots = _packed(transposed(A) if turned else A)
        self.diagonal = self._packed.diagonal(0, -2, -1)
        # Where it is singular: from 1, 0 if it is not.
        self.info = _first_zero(self.diagonal)

    def sign_of_exchanges(self):
        own = torch.arange(1, self._pivots.size(-1) + 1, device=self._pivots.device)
        return (1 - 2 * ((self._pivots != own).sum(-1) % 2)).to(self._packed.dtype)

    def solve(self, B, across=False):
        """X with A @ X = B, or A.mT @ X = B; for as many equations as B's batch has."""
        packed = self._packed.expand(B.shape[:-2] + self._packed.shape[-2:])
        across = across != self._turned
        if _lapack.serves(packed):
            pivots = self._pivots.expand(B.shape[:-2] + self._pivots.shape[-1:])
            return _lapack.solve_lu(packed, pivots, B, across)
        order = self._order.expand(B.shape[:-2] + self._order.shape[-1:])
        if across:
            forward = triangle_solution(transposed(packed), B, upper=False, unitriangular=False)
            back = triangle_solution(transposed(packed), forward, upper=True, unitriangular=True)
            return _rows_in(order.argsort(-1), back)
        forward = triangle_solution(packed, _rows_in(order, B), upper=False, unitriangular=True)
        return triangle_solution(packed, forward, upper=True, unitriangular=False)


def _rows_in(order, B):
    return B.gather(-2, order.unsqueeze(-1).expand(B.shape))


# ---- With derivatives ---------------------------------------------------------------------------

class _Solve(Function):
    """X with A @ X = B, or A.mT @ X = B: from dA @ X + A @ dX = dB."""
    _node_name = "LinalgSolveExBackward0"

    @staticmethod
    def forward(ctx, A, B, factors, across):
        X = factors.solve(B, across)
        ctx.save_for_backward(A, X)
        ctx.factors, ctx.across = factors, across
        return X

    @staticmethod
    def backward(ctx, gradient):
        A, X = ctx.saved_tensors
        of_B = solution(A, gradient, ctx.factors, not ctx.across)
        of_A = None
        if ctx.needs_input_grad[0]:
            of_A = -(X @ transposed(of_B) if ctx.across else of_B @ transposed(X))
        return of_A, of_B, None, None


def solution(A, B, factors, across=False):
    """X with A @ X = B, or A.mT @ X = B, where A and B have the same batch, and A those factors."""
    if is_recorded(A) or is_recorded(B):
        return _Solve.apply(A, B, factors, across)
    return factors.solve(B.detach(), across)


def _identity(A):
    """One for each matrix of A, transposed: so it lies column by column, which is what LAPACK copies best."""
    return transposed(eye_like(A, A.size(-1)))


class _Inverse(Function):
    _node_name = "LinalgInvExBackward0"

    @staticmethod
    def forward(ctx, A, factors):
        inverse = factors.solve(_identity(A))
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx, gradient):
        across = transposed(*ctx.saved_tensors)
        return -(across @ gradient @ across), None


def inverse(A, factors):
    return _Inverse.apply(A, factors)


def _inverse_across(A, factors):
    return solution(A, _identity(A), factors, across=True)


class _Determinant(Function):
    _node_name = "LinalgDetBackward0"

    @staticmethod
    def forward(ctx, A, factors):
        determinant = factors.diagonal.prod(-1) * factors.sign_of_exchanges()
        ctx.save_for_backward(A, determinant)
        ctx.factors = factors
        return determinant

    @staticmethod
    def backward(ctx, gradient):
        A, determinant = ctx.saved_tensors
        gradient, determinant = gradient.unsqueeze(-1).unsqueeze(-1), determinant.unsqueeze(-1).unsqueeze(-1)
        if bool((ctx.factors.info > 0).any()):
            # The cofactors are what the inverse, which there is not, is times the determinant.
            return gradient * cofactors(A), None
        return gradient * determinant * _inverse_across(A, ctx.factors), None


def determinant(A, factors):
    """The product of U's diagonal, with the sign of the exchanges."""
    return _Determinant.apply(A, factors)


class _LogDeterminant(Function):
    _node_name = "LinalgSlogdetBackward0"

    @staticmethod
    def forward(ctx, A, factors):
        ctx.save_for_backward(A)
        ctx.factors = factors
        return factors.diagonal.abs().log().sum(-1)

    @staticmethod
    def backward(ctx, gradient):
        A, = ctx.saved_tensors
        return gradient.unsqueeze(-1).unsqueeze(-1) * _inverse_across(A, ctx.factors), None


def log_determinant(A, factors):
    """The logarithm of the determinant's magnitude."""
    return _LogDeterminant.apply(A, factors)


# ---- The factors themselves ---------------------------------------------------------------------

def _check(name, A, pivot):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(A.shape)} "
                           "instead")
    check_dtype(name, A, kernel="lu", of_floats=False)
    if not pivot:
        raise NotImplementedError(f"{name.replace('torch.', 'linalg.')}: LU without pivoting is not "
                                  f"implemented on the {A.device.type.upper()}")


def _factor(A, pivot):
    _check("torch.lu_factor", A, pivot)
    packed, order, pivots = _packed(A)
    return packed, pivots, _first_zero(packed.detach().diagonal(0, -2, -1))


def _check_regular(name, info):
    failure = first_failure(info)
    if failure:
        where, step = failure
        raise RuntimeError(f"{name}: {where}U[{step},{step}] is zero and using it on "
                           "lu_solve would result in a division by zero. If you still want to perform the "
                           "factorization, consider calling linalg.lu(A, pivot) or "
                           "linalg.lu_factor_ex(A, pivot)")


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def lu_factor(A, *, pivot=True):
    """L and U in one matrix, and the row (from 1) that each step exchanged its own with."""
    packed, pivots, info = _factor(A, pivot)
    _check_regular("torch.linalg.lu_factor", info)
    return _LUFactor(packed, pivots)


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def lu_factor_ex(A, *, pivot=True, check_errors=False):
    """As `lu_factor`, and which number of U's diagonal is the first zero: from 1, 0 where none is."""
    packed, pivots, info = _factor(A, pivot)
    if check_errors:
        _check_regular("torch.linalg.lu_factor_ex", info)
    return _LUFactorEx(packed, pivots, info)


@torch.compiler.disable(reason="a factorisation exchanges rows as the numbers demand")
def lu(A, *, pivot=True):
    """P, L and U with A = P @ L @ U."""
    _check("linalg.lu", A, pivot)
    packed, order, pivots = _packed(A)
    height, width = A.shape[-2:]
    inner = min(height, width)
    L = packed[..., :inner].tril(-1) + torch.eye(height, inner, dtype=A.dtype, device=A.device)
    P = A.new_zeros(A.shape[:-1] + (height,)).scatter(-2, order.unsqueeze(-2), 1.0)
    return _LU(P, L, packed[..., :inner, :].triu())

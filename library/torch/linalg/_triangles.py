"""Equations with triangles of matrices: by LAPACK where that serves, else row by row.

    [[2, 0], [1, 4]] @ x = [6, 7]      x[0] = 6 / 2, then x[1] = (7 - 1 * x[0]) / 4
"""
import _lapack
import torch
from torch.autograd import Function
from torch.linalg._matrices import (check_matrix, check_same_dtype, check_solvable, check_square,
                                    is_recorded, transposed)


def _row_by_row(A, B, upper, unitriangular):
    """X with A @ X = B: from the row with a single unknown on."""
    size = A.size(-1)
    rows = []
    for k in (range(size - 1, -1, -1) if upper else range(size)):
        at = slice(k, k + 1)
        here = slice(-1, None) if upper else slice(0, 1)  # of B, of which this and later rows are left
        row = B[..., here, :]
        if not unitriangular:
            row = row / A[..., at, at]
        rows.append(row)
        if upper:
            B = B[..., :-1, :] - A[..., :k, at] * row
        else:
            B = B[..., 1:, :] - A[..., k + 1:, at] * row
    if not rows:
        return B
    return torch.cat(rows[::-1] if upper else rows, -2)


def triangle_solution(A, B, upper, unitriangular):
    """X with A @ X = B, of the same batch, without history."""
    if _lapack.serves(A):
        return _lapack.solve_triangle(A, B, upper, unitriangular)
    return _row_by_row(A, B, upper, unitriangular)


class _SolveTriangular(Function):
    """From dA @ X + A @ dX = dB, where dA is a triangle too."""
    _node_name = "LinalgSolveTriangularBackward0"

    @staticmethod
    def forward(ctx, A, B, upper, unitriangular):
        X = triangle_solution(A, B, upper, unitriangular)
        ctx.save_for_backward(A, X)
        ctx.upper, ctx.unitriangular = upper, unitriangular
        return X

    @staticmethod
    def backward(ctx, gradient):
        A, X = ctx.saved_tensors
        of_B = _solved(transposed(A), gradient, not ctx.upper, ctx.unitriangular)
        of_A = None
        if ctx.needs_input_grad[0]:
            own = 1 if ctx.unitriangular else 0
            whole = -(of_B @ transposed(X))
            of_A = whole.triu(own) if ctx.upper else whole.tril(-own)
        return of_A, of_B, None, None


def _solved(A, B, upper, unitriangular):
    if torch.compiler.is_compiling():
        # Rows are operators, which a graph can hold.
        return _row_by_row(A, B, upper, unitriangular)
    if is_recorded(A) or is_recorded(B):
        return _SolveTriangular.apply(A, B, upper, unitriangular)
    return triangle_solution(A.detach(), B.detach(), upper, unitriangular)


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """X with A @ X = B, or X @ A = B, where A is a triangle: its other half is not read."""
    check_square("linalg.solve_triangular", A, kernel="triangular_solve", of_floats=False)
    check_matrix("linalg.solve_triangular", B, "B", kernel="triangular_solve", of_floats=False)
    check_same_dtype("linalg.solve_triangular", A, B)
    check_solvable("linalg.solve_triangular", A, B, left, A.size(-1) == B.size(-2 if left else -1))
    if not left:
        return transposed(solve_triangular(transposed(A), transposed(B), upper=not upper,
                                           unitriangular=unitriangular))
    batch = torch.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    return _solved(A.expand(batch + A.shape[-2:]), B.expand(batch + B.shape[-2:]), upper, unitriangular)

"""Equations with triangles of matrices, solved row by row.

    [[2, 0], [1, 4]] @ x = [6, 7]      x[0] = 6 / 2, then x[1] = (7 - 1 * x[0]) / 4
"""
import torch
from torch.linalg._matrices import (check_matrix, check_same_dtype, check_solvable, check_square,
                                    transposed)


def through_triangle(A, B, upper, unitriangular):
    """X with A @ X = B: row by row, from the one with a single unknown on."""
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


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """X with A @ X = B, or X @ A = B, where A is a triangle: its other half is not read."""
    check_square("linalg.solve_triangular", A)
    check_matrix("linalg.solve_triangular", B, "B")
    check_same_dtype("linalg.solve_triangular", A, B)
    check_solvable("linalg.solve_triangular", A, B, left, A.size(-1) == B.size(-2 if left else -1))
    if not left:
        return transposed(solve_triangular(transposed(A), transposed(B), upper=not upper,
                                           unitriangular=unitriangular))
    batch = torch.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    B = B.expand(batch + B.shape[-2:])
    return through_triangle(A, B, upper, unitriangular)

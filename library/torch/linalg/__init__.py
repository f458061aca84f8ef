"""`torch.linalg`: norms, factorisations, solving, eigenvalues.

    torch.linalg.norm(x)                   # the square root of the sum of squares
    torch.linalg.solve(A, b)               # x with A @ x = b
    Q, R = torch.linalg.qr(A)

On the processor the platform's LAPACK factorises and solves (`_lapack`). Where there is none, and on a
GPU, the same is written in operators on batches of matrices, column by column; derivatives are written
in them everywhere. Compiled code calls what loops over columns or looks at numbers as it is: a graph
break.
"""
from torch.linalg._matrices import _LinAlgError as LinAlgError
from torch.linalg._factorisations import cholesky, cholesky_ex, qr
from torch.linalg._lu import lu, lu_factor, lu_factor_ex
from torch.linalg._norms import (cond, cross, diagonal, matmul, matrix_norm, matrix_power, matrix_rank,
                                multi_dot, norm, vander, vecdot, vector_norm)
from torch.linalg._products import householder_product, matrix_exp
from torch.linalg._singular_values import eigh, eigvalsh, pinv, svd, svdvals
from torch.linalg._solving import (det, inv, inv_ex, lstsq, slogdet, solve, solve_ex, tensorinv,
                                   tensorsolve)
from torch.linalg._triangles import solve_triangular

__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh",
    "householder_product", "inv", "inv_ex", "lstsq", "lu", "lu_factor", "lu_factor_ex",
    "matmul", "matrix_exp", "matrix_norm", "matrix_power",
    "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_ex",
    "solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot",
    "vector_norm",
]

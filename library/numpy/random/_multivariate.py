"""Normal vectors of a covariance: what both classes do with a square root of it.

    scale, axes = principal_axes(cov)        cov = (axes.T * scale) @ axes

An axis may point either way: the vectors that are drawn are then others. Those of two numbers, or of
numbers that are independent, are NumPy's; of three and more, axes may be mirrored.
"""
import warnings

import torch
from numpy.random._arguments import shape_of, tensor_of


def checked(mean, cov):
    mean, cov = tensor_of(mean).double(), tensor_of(cov).double()
    if mean.dim() != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.dim() != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("mean and cov must have same length")
    return mean, cov


def final_shape(size, mean):
    return shape_of(size) + (len(mean),)


def check_covariance(is_one, check_valid):
    """What `check_valid` says is done where the covariance is none."""
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    if check_valid == "ignore" or is_one:
        return
    text = "covariance is not symmetric positive-semidefinite."
    if check_valid == "raise":
        raise ValueError(text)
    warnings.warn(text, RuntimeWarning, stacklevel=3)


def principal_axes(cov):
    """Singular values and the right vectors as rows, pointing where LAPACK's do."""
    _, scale, axes = torch.linalg.svd(cov)
    if not (cov - cov.diag().diag()).any():
        return scale, axes.abs()
    return scale, _as_lapack(cov, axes) if len(cov) == 2 else axes


def _as_lapack(cov, axes):
    """Of a 2 x 2 matrix: what its triangular form's larger element decides (xLASV2)."""
    (a, b), (_, c) = cov.tolist()
    if a * c - b * b > a * a + b * b:
        wanted = torch.stack([axes[0, 1], axes[1, 0]])
    else:
        wanted = torch.stack([-axes[0, 0], axes[1, 1]])
    return torch.where(wanted < 0, -1.0, 1.0).double()[:, None] * axes


def check_rebuilt(cov, scale, axes, tol, check_valid):
    """Singular values and vectors give the covariance back where it is symmetric and has no negative
    eigenvalues."""
    rebuilt = (axes.T * scale) @ axes
    check_covariance(check_valid == "ignore" or torch.allclose(rebuilt, cov, rtol=tol, atol=tol), check_valid)

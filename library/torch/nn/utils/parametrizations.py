"""Parametrizations of weights: a direction and a length, a greatest singular value of 1, orthonormal columns.

    layer = weight_norm(nn.Linear(20, 40))
    layer.parametrizations.weight.original0      # the lengths, original1 the directions
"""
import torch
import torch.nn.functional as F
from torch.nn.modules.module import Module
from torch.nn.utils import parametrize
from torch.nn.utils._matrix_norms import length_of_parts, spectral_dim, weight_of, weight_as_matrix


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_of(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return length_of_parts(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


class _SpectralNorm(Module):
    """Divides by the greatest singular value, which a step of the power method follows at each call."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        rank = weight.ndim
        if dim >= rank or dim < -rank:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got "
                             f"n_power_iterations={n_power_iterations}")
        self.dim = dim if dim >= 0 else dim + rank
        self.eps = eps
        if rank > 1:
            self.n_power_iterations = n_power_iterations
            matrix = weight_as_matrix(weight, self.dim)
            left, right = [matrix.new_empty(size).normal_(0, 1) for size in matrix.size()]
            self.register_buffer("_u", F.normalize(left.detach(), dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(right.detach(), dim=0, eps=eps))
            self._power_method(matrix, 15)

    @torch.no_grad()
    def _power_method(self, matrix, count):
        for _ in range(count):
            self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = weight_as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        return weight / torch.vdot(self._u.clone(), torch.mv(matrix, self._v.clone()))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    dim = spectral_dim(module, dim)
    parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module


_MAPS = ("matrix_exp", "cayley", "householder")


def _orthonormal(matrix):
    """Q of its QR decomposition, of whose R the diagonal is positive."""
    Q, R = torch.linalg.qr(matrix)
    return Q * R.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _is_orthonormal(Q):
    one = torch.eye(Q.size(-1), dtype=Q.dtype, device=Q.device)
    return torch.allclose(Q.mT @ Q, one, atol=10.0 * Q.size(-2) * torch.finfo(Q.dtype).eps)


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def _of_antisymmetric(self, X):
        rows, columns = X.size(-2), X.size(-1)
        X = X.tril()
        if rows != columns:
            X = torch.cat([X, X.new_zeros(rows, rows - columns).expand(*X.shape[:-2], -1, -1)], dim=-1)
        A = X - X.mT
        if self.orthogonal_map == "matrix_exp":
            Q = torch.matrix_exp(A)
        else:
            one = torch.eye(rows, dtype=A.dtype, device=A.device)
            Q = torch.linalg.solve(torch.add(one, A, alpha=-0.5), torch.add(one, A, alpha=0.5))
        return Q[..., :columns]

    def forward(self, X):
        transposed = X.size(-2) < X.size(-1)
        if transposed:
            X = X.mT
        if self.orthogonal_map == "householder":
            A = X.tril(diagonal=-1)
            Q = torch.linalg.householder_product(A, 2.0 / (1.0 + (A * A).sum(dim=-2)))
            Q = Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            Q = self._of_antisymmetric(X)
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if transposed else Q

    @torch.no_grad()
    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                             f"{Q.shape}.")
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley "
                                          "parametrizations when use_trivialization=False.")
            raise NotImplementedError("the householder parametrization without trivialization takes no values here")
        start = torch.zeros_like(Q)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        if Q.size(-2) < Q.size(-1):
            Q = Q.mT
        rows, columns = Q.size(-2), Q.size(-1)
        if rows != columns:
            noise = torch.randn(*(tuple(Q.size()[:-2]) + (rows, rows - columns)), dtype=Q.dtype, device=Q.device)
            Q = _orthonormal(torch.cat([Q, noise], dim=-1))
        else:
            Q = Q.clone() if _is_orthonormal(Q) else _orthonormal(Q)
        self.base = Q.detach()
        return start


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.size(-2) == weight.size(-1) else "householder"
    if orthogonal_map not in _MAPS:
        raise ValueError('orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: '
                         f"{orthogonal_map}")
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module

"""The normal distribution of a vector, by its covariance, the inverse of that or its Cholesky factor."""
import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import lazy_property


def matrix_times(matrix, vector):
    """Products with batch dimensions that broadcast."""
    return torch.matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


def squared_distance(scale_tril, vector):
    """The square of the vector's length, measured by the deviations of a Cholesky factor."""
    return torch.linalg.solve_triangular(scale_tril, vector.unsqueeze(-1), upper=False).pow(2).sum((-2, -1))


def half_log_det(scale_tril):
    return scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def standard_normal(shape, like):
    options = {"dtype": like.dtype, "device": like.device}
    return torch.normal(torch.zeros(shape, **options), torch.ones(shape, **options))


def _factor_of_inverse(precision):
    factor = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    inverse = torch.transpose(torch.flip(factor, (-2, -1)), -2, -1)
    one = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return torch.linalg.solve_triangular(inverse, one, upper=False)


class MultivariateNormal(Distribution):
    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite,
                       "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix,
                    "scale_tril": scale_tril}
        given = [name for name in matrices if matrices[name] is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        name, matrix = given[0], matrices[given[0]]
        if matrix.dim() < 2:
            what = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{what} must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(tuple(batch_shape) + (-1, -1)))
        self.loc = loc.expand(tuple(batch_shape) + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = torch.linalg.cholesky(matrix)
        else:
            self._unbroadcasted_scale_tril = _factor_of_inverse(matrix)

    def _as_wide(self, matrix):
        return matrix.expand(tuple(self._batch_shape) + tuple(self._event_shape) * 2)

    @lazy_property
    def scale_tril(self):
        return self._as_wide(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        factor = self._unbroadcasted_scale_tril
        return self._as_wide(torch.matmul(factor, factor.mT))

    @lazy_property
    def precision_matrix(self):
        return self._as_wide(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._extended_shape())

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        event = tuple(self.event_shape)
        for name in ("covariance_matrix", "scale_tril", "precision_matrix"):
            if name in self.__dict__:
                setattr(made, name, getattr(self, name).expand(tuple(batch_shape) + event * 2))
        return self._expanded(batch_shape, ("loc",), made, event)

    def rsample(self, sample_shape=torch.Size()):
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + matrix_times(self._unbroadcasted_scale_tril, noise)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        factor = self._unbroadcasted_scale_tril
        distance = squared_distance(factor, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - half_log_det(factor)

    def entropy(self):
        result = (0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
                  + half_log_det(self._unbroadcasted_scale_tril))
        return result.expand(self._batch_shape) if len(self._batch_shape) else result

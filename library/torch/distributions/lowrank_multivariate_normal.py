"""The normal distribution of a vector whose covariance is `cov_factor @ cov_factor.mT + diag(cov_diag)`."""
import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.multivariate_normal import half_log_det, matrix_times, squared_distance, standard_normal
from torch.distributions.utils import lazy_property


def _plus_one(matrix):
    return matrix + torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)


class LowRankMultivariateNormal(Distribution):
    arg_constraints = {"loc": constraints.real_vector,
                       "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            batch_shape = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError(f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, "
                             f"cov_diag {cov_diag.shape}") from error
        wide = tuple(batch_shape)
        self.loc, self.cov_diag = loc.expand(wide + (-1,)), cov_diag.expand(wide + (-1,))
        self.cov_factor = cov_factor.expand(wide + (-1, -1))
        self._factor, self._diagonal = cov_factor, cov_diag
        self._small_tril = torch.linalg.cholesky(_plus_one(torch.matmul(self._scaled, cov_factor)))
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    @property
    def _scaled(self):
        return self._factor.mT / self._diagonal.unsqueeze(-2)

    def _as_wide(self, matrix):
        return matrix.expand(tuple(self._batch_shape) + tuple(self._event_shape) * 2)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @lazy_property
    def variance(self):
        return (self._factor.pow(2).sum(-1) + self._diagonal).expand(self._extended_shape())

    @lazy_property
    def scale_tril(self):
        root = self._diagonal.sqrt().unsqueeze(-1)
        scaled = self._factor / root
        return self._as_wide(root * torch.linalg.cholesky(_plus_one(torch.matmul(scaled, scaled.mT))))

    @lazy_property
    def covariance_matrix(self):
        return self._as_wide(torch.matmul(self._factor, self._factor.mT) + torch.diag_embed(self._diagonal))

    @lazy_property
    def precision_matrix(self):
        part = torch.linalg.solve_triangular(self._small_tril, self._scaled, upper=False)
        return self._as_wide(torch.diag_embed(self._diagonal.reciprocal()) - part.mT @ part)

    def expand(self, batch_shape, _instance=None):
        made = LowRankMultivariateNormal.__new__(LowRankMultivariateNormal)
        made._factor, made._diagonal, made._small_tril = self._factor, self._diagonal, self._small_tril
        made.cov_factor = self.cov_factor.expand(tuple(batch_shape) + tuple(self.cov_factor.shape[-2:]))
        return self._expanded(batch_shape, ("loc", "cov_diag"), made, tuple(self.event_shape))

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        of_factor = standard_normal(tuple(shape[:-1]) + tuple(self.cov_factor.shape[-1:]), self.loc)
        of_diagonal = standard_normal(shape, self.loc)
        return self.loc + matrix_times(self._factor, of_factor) + self._diagonal.sqrt() * of_diagonal

    def _log_det(self):
        return 2 * half_log_det(self._small_tril) + self._diagonal.log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        apart = value - self.loc
        distance = ((apart.pow(2) / self._diagonal).sum(-1)
                    - squared_distance(self._small_tril, matrix_times(self._scaled, apart)))
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self):
        result = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return result.expand(self._batch_shape) if len(self._batch_shape) else result

"""Student's t-distribution."""
import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.gamma import Chi2
from torch.distributions.multivariate_normal import standard_normal
from torch.distributions.utils import broadcast_all


class StudentT(Distribution):
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    @property
    def mean(self):
        return torch.where(self.df <= 1, torch.nan, self.loc)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        result = self.scale.pow(2) * self.df / (self.df - 2)
        result = torch.where(self.df <= 2, torch.inf, result)
        return torch.where(self.df <= 1, torch.nan, result)

    def expand(self, batch_shape, _instance=None):
        made = StudentT.__new__(StudentT)
        made._chi2 = self._chi2.expand(batch_shape)
        return self._expanded(batch_shape, ("df", "loc", "scale"), made)

    def rsample(self, sample_shape=torch.Size()):
        normal = standard_normal(self._extended_shape(sample_shape), self.df)
        squares = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (normal * torch.rsqrt(squares / self.df))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        normalizer = (self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
                      + torch.lgamma(0.5 * self.df) - torch.lgamma(0.5 * (self.df + 1.0)))
        return -0.5 * (self.df + 1.0) * torch.log1p(y**2.0 / self.df) - normalizer

    def entropy(self):
        half = 0.5 * (self.df + 1)
        log_beta = torch.lgamma(0.5 * self.df) + math.lgamma(0.5) - torch.lgamma(half)
        return (self.scale.log() + half * (torch.digamma(half) - torch.digamma(0.5 * self.df))
                + 0.5 * self.df.log() + log_beta)

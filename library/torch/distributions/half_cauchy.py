"""The distribution of the absolute value of a Cauchy number."""
import math

import torch
from torch.distributions.cauchy import Cauchy
from torch.distributions.half_normal import OfMagnitudes


class HalfCauchy(OfMagnitudes):
    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args=validate_args)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self):
        return self.base_dist.variance

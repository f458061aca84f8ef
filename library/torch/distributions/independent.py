"""Several independent distributions as one of a vector: the last batch dimensions become the event's."""
import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import sum_rightmost


class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        count = reinterpreted_batch_ndims
        batch = base_distribution.batch_shape
        if count > len(batch):
            raise ValueError("Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                             f"{count} vs {len(batch)}")
        shape = tuple(batch) + tuple(base_distribution.event_shape)
        begin = len(batch) - count
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = count
        super().__init__(torch.Size(shape[:begin]), torch.Size(shape[begin:]), validate_args=validate_args)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        return constraints.independent(self.base_dist.support, self.reinterpreted_batch_ndims)

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def expand(self, batch_shape, _instance=None):
        own = tuple(self._event_shape)[:self.reinterpreted_batch_ndims]
        return Independent(self.base_dist.expand(tuple(batch_shape) + own), self.reinterpreted_batch_ndims)

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"Independent({self.base_dist!r}, {self.reinterpreted_batch_ndims})"

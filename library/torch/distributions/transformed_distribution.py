"""What transforms make of a distribution's samples.

    TransformedDistribution(Normal(0., 1.), [ExpTransform()])     # a log-normal one
"""
import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.independent import Independent
from torch.distributions.transforms import ComposeTransform, Transform
from torch.distributions.utils import sum_rightmost


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all([isinstance(each, Transform) for each in transforms]):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        whole = ComposeTransform(transforms)
        domain, codomain = whole.domain.event_dim, whole.codomain.event_dim
        base_shape = torch.Size(tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape))
        base_event = len(base_distribution.event_shape)
        if len(base_shape) < domain:
            raise ValueError(f"base_distribution needs to have shape with size at least {domain}, but got "
                             f"{base_shape}.")
        shape = whole.forward_shape(base_shape)
        wider = whole.inverse_shape(shape)
        if base_shape != wider:
            base_distribution = base_distribution.expand(wider[:len(wider) - base_event])
        if domain > base_event:
            base_distribution = Independent(base_distribution, domain - base_event)
        self.base_dist = base_distribution
        cut = len(shape) - max(codomain, base_event + codomain - domain)
        super().__init__(torch.Size(shape[:cut]), torch.Size(shape[cut:]), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        return self._expanded_base(batch_shape, type(self).__new__(type(self)))

    def _expanded_base(self, batch_shape, made):
        batch_shape = torch.Size(batch_shape)
        shape = torch.Size(tuple(batch_shape) + tuple(self.event_shape))
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        made.base_dist = self.base_dist.expand(shape[:len(shape) - len(self.base_dist.event_shape)])
        made.transforms = self.transforms
        return self._expanded(batch_shape, (), made)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        return constraints._over_dims(self.transforms[-1].codomain, len(self.event_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=torch.Size()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        count = len(self.event_shape)
        result = 0.0
        for transform in reversed(self.transforms):
            before = transform.inv(value)
            count += transform.domain.event_dim - transform.codomain.event_dim
            slope = transform.log_abs_det_jacobian(before, value)
            result = result - sum_rightmost(slope, count - transform.domain.event_dim)
            value = before
        base = self.base_dist.log_prob(value)
        return result + sum_rightmost(base, count - len(self.base_dist.event_shape))

    def _rising(self, probability):
        """The probability itself, or, where the transforms fall, what is left of 1."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return probability
        return sign * (probability - 0.5) + 0.5

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._rising(value)))

"""A mixture of distributions of one class: which of them, a categorical distribution says.

    MixtureSameFamily(Categorical(torch.ones(3)), Normal(torch.randn(3), torch.ones(3)))
"""
import torch
from torch.distributions import constraints
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution


class MixtureSameFamily(Distribution):
    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of "
                             "torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of "
                             "torch.distributions.Distribution")
        batch, own = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        for one, other in zip(reversed(batch), reversed(own)):
            if one != 1 and other != 1 and one != other:
                raise ValueError(f"`mixture_distribution.batch_shape` ({batch}) is not compatible with "
                                 f"`component_distribution.batch_shape`({own})")
        count, components = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if count != components:
            raise ValueError(f"`mixture_distribution component` ({count}) does not equal "
                             f"`component_distribution.batch_shape[-1]` ({components})")
        self._num_component = count
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(own, component_distribution.event_shape, validate_args=validate_args)

    @property
    def mixture_distribution(self):
        return self._mixture_distribution

    @property
    def component_distribution(self):
        return self._component_distribution

    @property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    def _over_components(self, values):
        """Their mean by the probabilities of the components."""
        probs = self.mixture_distribution.probs
        own = len(self.mixture_distribution.batch_shape)
        missing = 0 if own == 1 else len(self.batch_shape) - own
        shape = tuple(probs.shape)
        probs = probs.reshape(shape[:-1] + (1,) * missing + shape[-1:] + (1,) * self._event_ndims)
        return torch.sum(probs * values, dim=-1 - self._event_ndims)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    @property
    def mean(self):
        return self._over_components(self.component_distribution.mean)

    @property
    def variance(self):
        apart = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return self._over_components(self.component_distribution.variance) + self._over_components(apart)

    def expand(self, batch_shape, _instance=None):
        made = MixtureSameFamily.__new__(MixtureSameFamily)
        inner = tuple(batch_shape) + (self._num_component,)
        made._component_distribution = self._component_distribution.expand(inner)
        made._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        made._num_component, made._event_ndims = self._num_component, self._event_ndims
        return self._expanded(batch_shape, (), made)

    def cdf(self, x):
        return torch.sum(self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x):
        if self._validate_args:
            self._validate_sample(x)
        inner = self.component_distribution.log_prob(self._pad(x))
        return torch.logsumexp(inner + torch.log_softmax(self.mixture_distribution.logits, dim=-1), dim=-1)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            dim = len(sample_shape) + len(self.batch_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            places = chosen.reshape(tuple(chosen.shape) + (1,) * (self._event_ndims + 1))
            places = places.expand(tuple(samples.shape[:dim]) + (1,) + tuple(self.event_shape))
            return torch.gather(samples, dim, places).squeeze(dim)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"

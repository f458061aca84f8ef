"""Probability distributions: parameters, samples, log probabilities, entropies and divergences.

    policy = Categorical(logits=net(state))
    action = policy.sample()
    loss = -policy.log_prob(action) * reward

Samples are PyTorch's own for the same seed.
"""
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution
from torch.distributions.exponential import Exponential
from torch.distributions.independent import Independent
from torch.distributions.kl import kl_divergence, register_kl
from torch.distributions.laplace import Laplace
from torch.distributions.log_normal import LogNormal
from torch.distributions.normal import Normal
from torch.distributions.one_hot_categorical import OneHotCategorical
from torch.distributions.uniform import Uniform

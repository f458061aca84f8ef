"""Kullback-Leibler divergences of the distributions that few scripts use."""
import math

import torch
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.beta import Beta
from torch.distributions.binomial import Binomial
from torch.distributions.dirichlet import Dirichlet
from torch.distributions.exponential import Exponential
from torch.distributions.gamma import Gamma
from torch.distributions.geometric import Geometric
from torch.distributions.gumbel import Gumbel
from torch.distributions.half_normal import HalfNormal
from torch.distributions.kl import kl_divergence, register_kl
from torch.distributions.laplace import Laplace
from torch.distributions.multivariate_normal import MultivariateNormal, half_log_det, squared_distance
from torch.distributions.normal import Normal
from torch.distributions.pareto import Pareto
from torch.distributions.poisson import Poisson
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.uniform import Uniform
from torch.distributions.utils import euler_constant


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    return (q.concentration * (p.rate / q.rate).log()
            + (torch.lgamma(q.concentration) - torch.lgamma(p.concentration))
            + (p.concentration - q.concentration) * torch.digamma(p.concentration)
            + (q.rate - p.rate) * (p.concentration / p.rate))


@register_kl(Beta, Beta)
def _beta(p, q):
    p_total, q_total = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    return (q.concentration1.lgamma() + q.concentration0.lgamma() + p_total.lgamma()
            - (p.concentration1.lgamma() + p.concentration0.lgamma() + q_total.lgamma())
            + (p.concentration1 - q.concentration1) * torch.digamma(p.concentration1)
            + (p.concentration0 - q.concentration0) * torch.digamma(p.concentration0)
            + (q_total - p_total) * torch.digamma(p_total))


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    p_total, q_total = p.concentration.sum(-1), q.concentration.sum(-1)
    apart = p.concentration.digamma() - p_total.digamma().unsqueeze(-1)
    return (p_total.lgamma() - q_total.lgamma() - (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
            + ((p.concentration - q.concentration) * apart).sum(-1))


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with                          "
                         "different event shapes cannot be computed")
    p_factor, q_factor = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    ratio = torch.linalg.solve_triangular(q_factor, p_factor, upper=False)
    distance = squared_distance(q_factor, q.loc - p.loc)
    return (half_log_det(q_factor) - half_log_det(p_factor)
            + 0.5 * (ratio.pow(2).sum((-2, -1)) + distance - p.event_shape[0]))


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    result = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return torch.where(p.total_count > q.total_count, math.inf, result)


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, q_place, p_place = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    return (-ratio.log() - q_place + p_place + ratio * euler_constant
            + torch.exp(q_place + (1 + ratio).lgamma() - p_place) - (1 + euler_constant))


@register_kl(HalfNormal, HalfNormal)
@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return torch.where(p.scale < q.scale, math.inf, result)


@register_kl(Laplace, Normal)
def _laplace_normal(p, q):
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    distance = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -0.5 * torch.log(2 * ratio / math.pi) + ratio + distance / variance - 1


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    apart = p.loc - q.loc
    scaled = apart / p.scale
    bell = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * scaled.pow(2))
    sides = apart * torch.erf(math.sqrt(0.5) * scaled)
    return -torch.log(p.scale / q.scale) + (bell + sides) / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


@register_kl(Uniform, Normal)
def _uniform_normal(p, q):
    width = p.high - p.low
    distance = width.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return (math.sqrt(math.pi * 2) * q.scale / width).log() + 0.5 * distance / q.scale.pow(2)


# What has values that the other cannot have, by the parameter whose shape the result has.
_ANYWHERE = (Beta, Exponential, Gamma, Pareto, Uniform)
_BEYOND = {
    Beta: ("concentration1", (Pareto,)),
    Exponential: ("rate", (Beta, Pareto, Uniform)),
    Gamma: ("concentration", (Beta, Pareto, Uniform)),
    Gumbel: ("loc", _ANYWHERE),
    Laplace: ("loc", _ANYWHERE),
    Normal: ("loc", _ANYWHERE),
    Pareto: ("scale", (Beta, Uniform)),
    Poisson: ("rate", (Bernoulli, Binomial)),
    Binomial: ("probs", (Poisson,)),
}


def _infinite(name):
    return lambda p, q: torch.full_like(getattr(p, name), math.inf)


for _wider, (_name, _narrower) in _BEYOND.items():
    for _each in _narrower:
        register_kl(_wider, _each)(_infinite(_name))

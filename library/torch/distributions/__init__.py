"""Probability distributions: parameters, samples, log probabilities, entropies and divergences.

    policy = Categorical(logits=net(state))
    action = policy.sample()
    loss = -policy.log_prob(action) * reward

Samples are PyTorch's own for the same seed.
"""
import sys

from torch import _native
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

# Names that few scripts use: the file is read when the first of them is asked for.
_FILES = {
    "beta": ("Beta",),
    "binomial": ("Binomial",),
    "cauchy": ("Cauchy",),
    "constraint_registry": ("biject_to", "transform_to"),
    "dirichlet": ("Dirichlet",),
    "fishersnedecor": ("FisherSnedecor",),
    "gamma": ("Gamma", "Chi2"),
    "geometric": ("Geometric",),
    "gumbel": ("Gumbel",),
    "half_cauchy": ("HalfCauchy",),
    "half_normal": ("HalfNormal",),
    "inverse_gamma": ("InverseGamma",),
    "kumaraswamy": ("Kumaraswamy",),
    "logistic_normal": ("LogisticNormal",),
    "lowrank_multivariate_normal": ("LowRankMultivariateNormal",),
    "mixture_same_family": ("MixtureSameFamily",),
    "multinomial": ("Multinomial",),
    "multivariate_normal": ("MultivariateNormal",),
    "negative_binomial": ("NegativeBinomial",),
    "one_hot_categorical": ("OneHotCategoricalStraightThrough",),
    "pareto": ("Pareto",),
    "poisson": ("Poisson",),
    "relaxed_bernoulli": ("RelaxedBernoulli",),
    "relaxed_categorical": ("RelaxedOneHotCategorical",),
    "studentT": ("StudentT",),
    "transformed_distribution": ("TransformedDistribution",),
    "transforms": (
        "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
        "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
        "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform", "SigmoidTransform",
        "SoftmaxTransform", "SoftplusTransform", "StackTransform", "StickBreakingTransform", "TanhTransform",
        "Transform", "identity_transform"),
    "von_mises": ("VonMises",),
    "weibull": ("Weibull",),
}
_SELDOM = {name: file for file, names in _FILES.items() for name in names}
_MODULES = (*_FILES, "constraints")


def _seldom(name):
    """The class or file of that name, if it is one of those."""
    file = _SELDOM.get(name, name)
    if file not in _MODULES:
        return None
    __import__(f"{__name__}.{file}")
    found = sys.modules[f"{__name__}.{file}"]
    return getattr(found, name) if name in _SELDOM else found


_native.set_late_names(sys.modules[__name__], _seldom)

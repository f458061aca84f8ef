"""The von Mises distribution, of angles."""
import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, lazy_property

# Of Bessel's functions I0 and I1: below 3.75 in (x / 3.75)^2, above in 3.75 / x.
_SMALL = ((1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813),
          (0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411))
_LARGE = ((0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706, 0.02635537,
           -0.01647633, 0.00392377),
          (0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555, 0.02282967, -0.02895312,
           0.01787654, -0.00420059))


def _polynomial(x, coefficients):
    result = coefficients[-1]
    for each in reversed(coefficients[:-1]):
        result = each + x * result
    return result


def _log_bessel(x, order):
    small = _polynomial((x / 3.75) ** 2, _SMALL[order])
    small = (x.abs() * small if order == 1 else small).log()
    large = x - 0.5 * x.log() + _polynomial(3.75 / x, _LARGE[order]).log()
    return torch.where(x < 3.75, small, large)


class VonMises(Distribution):
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @lazy_property
    def variance(self):
        return 1 - (_log_bessel(self.concentration, 1) - _log_bessel(self.concentration, 0)).exp()

    @lazy_property
    def _proposal(self):
        """How wide the distribution is of which proposals are drawn."""
        kappa = self.concentration.double()
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        return torch.where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))

    def expand(self, batch_shape, _instance=None):
        return self._expanded(batch_shape, ("loc", "concentration"), VonMises.__new__(VonMises))

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        loc, concentration, proposal = self.loc.double(), self.concentration.double(), self._proposal
        x = torch.zeros(self._extended_shape(sample_shape), dtype=torch.double, device=loc.device)
        done = torch.zeros(x.shape, dtype=torch.bool, device=loc.device)
        while not done.all():
            u1, u2, u3 = torch.rand((3,) + tuple(x.shape), dtype=torch.double, device=loc.device).unbind()
            z = torch.cos(math.pi * u1)
            f = (1 + proposal * z) / (proposal + z)
            c = concentration * (proposal - f)
            accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
            x = torch.where(accept, (u3 - 0.5).sign() * f.acos(), x)
            done = done | accept
        return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return (self.concentration * torch.cos(value - self.loc) - math.log(2 * math.pi)
                - _log_bessel(self.concentration, 0))

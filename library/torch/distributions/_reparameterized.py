"""Samples of gamma and Dirichlet distributions, which have a gradient for their concentrations.

    x = standard_gamma(concentration)     x moves with the concentration so that its probability of
                                          being below x stays: dx/da = -(dF/da) / p

The slopes are PyTorch's approximations, a formula for each region of the arguments: a series near
the ends, Rice's saddle point for large concentrations, a rational function between.
"""
import torch
from torch.autograd import Function


class _StandardGamma(Function):
    _node_name = "StandardGammaBackward0"

    @staticmethod
    def forward(ctx, concentration):
        x = torch._draw_standard_gamma(concentration)
        ctx.save_for_backward(concentration, x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        concentration, x = ctx.saved_tensors
        return gradient * _gamma_slope(concentration.double(), x.double()).to(x.dtype)


def standard_gamma(concentration):
    """Of a scale of 1."""
    return _StandardGamma.apply(concentration)


class _Dirichlet(Function):
    @staticmethod
    def forward(ctx, concentration):
        x = _draw_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    def backward(ctx, gradient):
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        slope = _share_slope(x.double(), concentration.double(), total.double()).to(x.dtype)
        return slope * (gradient - (x * gradient).sum(-1, True))


def dirichlet(concentration):
    """Shares of a whole."""
    return _Dirichlet.apply(concentration)


def _draw_dirichlet(concentration):
    """Gamma numbers over their sum, between the least and the greatest number inside of 0 ... 1."""
    parts = torch._draw_standard_gamma(concentration.double())
    limits = torch.finfo(concentration.dtype)
    shares = (parts / parts.sum(-1, True)).to(concentration.dtype)
    return shares.clamp(min=limits.tiny, max=1.0 - limits.eps / 2)


def _no_nan(x):
    return torch.where(x.isnan(), 0.0, x)


def _polynomial(x, coefficients):
    """Coefficients from the lowest power on."""
    result = coefficients[-1]
    for each in reversed(coefficients[:-1]):
        result = each + x * result
    return result


# ---- the slope of a gamma distribution's x -----------------------------------------------------

def _gamma_near_zero(a, x):
    term = torch.ones_like(x)
    series, squares = 1 / a, 1 / (a * a)
    for i in range(1, 6):
        term = term * (-x / i)
        series = series + term / (a + i)
        squares = squares + term / ((a + i) * (a + i))
    power = x.pow(a)
    density = x.pow(a - 1) * (-x).exp()
    slope = (x.log() - torch.digamma(a)) * power * series - power * squares
    return _no_nan(-slope / density)


def _gamma_near_mean(a, x):
    first = 1 + 24 * a * (1 + 12 * a)
    second = 1440 * (a * a) + 6 * x * (53 - 120 * x) - 65 * x * x / a + a * (107 + 3600 * x)
    return first * second / (1244160 * (a * a) * (a * a))


def _gamma_far_from_mean(a, x):
    root = (8 * a).sqrt()
    near = root / (a - x)
    tail = (x - a - a * (x / a).log()).pow(-1.5)
    both = torch.where(x < a, near - tail, near + tail)
    term = (x / a).log() * both - (2 / a).sqrt() * (a + x) / ((a - x) * (a - x))
    stirling = 1 + 1 / (12 * a) * (1 + 1 / (24 * a))
    return -stirling * x * term / root


# A row for each power of u, the coefficients of a ratio of two cubics of v.
_GAMMA = (
    (0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084),
    (0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915,
     -0.00058392623),
    (0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367,
     -1.5247877e-07))


def _gamma_between(a, x):
    u, v = (x / a).log(), a.log()
    of_v = [_polynomial(u, column) for column in zip(*_GAMMA)]
    return (_polynomial(v, of_v[:4]) / _polynomial(v, of_v[4:])).exp()


def _gamma_slope(a, x):
    near_mean = (0.9 * a <= x) & (x <= 1.1 * a)
    large = torch.where(near_mean, _gamma_near_mean(a, x), _gamma_far_from_mean(a, x))
    rest = torch.where(a > 8.0, large, _gamma_between(a, x))
    return torch.where(x < 0.8, _gamma_near_zero(a, x), rest)


# ---- the slope of one share x of a whole, of concentrations a for it and b for the others -------

def _share_near_zero(x, a, b):
    factor = torch.digamma(a) - torch.digamma(a + b) - x.log()
    term = torch.ones_like(x)
    series = term / a * (factor + 1 / a)
    for i in range(1, 11):
        term = term * ((i - b) * x / i)
        series = series + term / (a + i) * (factor + 1 / (a + i))
    return _no_nan(x * (1 - x).pow(-b) * series)


def _share_near_one(x, a, b):
    """Of what is left of the whole, for the concentration of the others."""
    factor = torch.digamma(a + b) - torch.digamma(b)
    term, product, slope = torch.ones_like(x), torch.ones_like(x), torch.zeros_like(x)
    series = factor / a
    for i in range(1, 9):
        term = term * (-x / i)
        slope = slope * (b - i) + product
        product = product * (b - i)
        series = series + term / (a + i) * (slope + factor * product)
    return _no_nan(-(1 - x).pow(1 - b) * series)


def _share_at_mean(x, a, b, total):
    inner = 8 * (1 - x) * (135 * b - 11)
    inner = (453 + 1620 * b * (1 - x) - 455 * x) * b + a * inner
    inner = 3 * (59 + 180 * b - 90 * x) * (b * b) + a * inner
    inner = (43 + 20 * (16 + 27 * b) * x) * (b * b) * b + a * inner
    inner = 47 * x * (b * b) * (b * b) + a * inner
    above = (1 + 12 * a) * (1 + 12 * b) / (total * total)
    return above / (1 - x) * inner / (12960 * a * a * a * b * b * (1 + 12 * total))


def _stirling(z):
    return 1 + 1 / (12 * z) + 1 / (288 * z * z)


def _share_of_large(x, a, b):
    total = a + b
    mean = a / total
    deviation = (a * b / (total + 1)).sqrt() / total
    factor = -x / (2 * a * b / total).sqrt() * _stirling(a) * _stirling(b) / _stirling(total)
    apart = a * (x - 1) + b * x
    first = ((2 * (a * a) * (x - 1) + a * b * (x - 1) - x * (b * b))
             / ((2 * a / b).sqrt() * total.pow(1.5) * apart * apart))
    near = (8 * a * b / total).sqrt() / apart
    tail = (b * (b / (total * (1 - x))).log() + a * (a / (total * x)).log()).pow(-1.5)
    terms = first + 0.5 * (a / (total * x)).log() * (near + torch.where(x < mean, tail, -tail))
    at_mean = (mean - 0.1 * deviation <= x) & (x <= mean + 0.1 * deviation)
    return torch.where(at_mean, _share_at_mean(x, a, b, total), factor * terms)


# By the powers of u and of v, cubics of w: of what is above and below the fraction.
_ABOVE = (
    ((1.003668233, -0.01061107488, -0.0657888334, 0.01201642863),
     (0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033),
     (-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013)),
    ((0.221950385, -0.3187676331, 0.01799915743, 0.01074823814),
     (-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057),
     (0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05)),
    ((-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565),
     (0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181),
     (0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05)))
_BELOW = (
    ((1, -0.02924021934, -0.04438342661, 0.007285809825),
     (0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521),
     (-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149)),
    ((0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273),
     (0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956),
     (-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05)),
    ((0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05),
     (0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05),
     (-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06)))


def _share_between(x, a, b, total):
    u = x.log()
    v = a.log() - u
    w = total.log() - v

    def surface(coefficients):
        return _polynomial(u, [_polynomial(v, [_polynomial(w, cubic) for cubic in row])
                               for row in coefficients])

    rough = x * (torch.digamma(total) - torch.digamma(a)) / b
    return surface(_ABOVE) / surface(_BELOW) * rough


def _share_slope(x, a, total):
    b = total - a
    boundary = total * x * (1 - x)
    result = torch.where((a > 6) & (b > 6), _share_of_large(x, a, b), _share_between(x, a, b, total))
    near_one = (x >= 0.5) & (boundary < 0.75)
    result = torch.where(near_one, -_share_near_one(1 - x, b, a), result)
    return torch.where((x <= 0.5) & (boundary < 2.5), _share_near_zero(x, a, b), result)

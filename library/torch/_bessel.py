"""Modified Bessel functions of the first kind, of order 0 and 1, and scaled by e^-|x|.

    i0(x)       what Kaiser's window and the von Mises distribution are made of

Chebyshev series in float64: of e^-x I(x) up to 8, of that times the root of x beyond, in what goes from
-1 to 1 there.
"""
import torch
from torch.autograd import Function

# Of I0, and of I1 / x, on 0 ... 8.
_SMALL = ((
    0.67679527440947608, -0.3046826723431984, 0.17162090152220878, -0.094901097048047644,
    0.049305284239670708, -0.023737414805899469, 0.010546460394594998, -0.0043243099950505759,
    0.0016394756169413358, -0.00057637557453858237, 0.00018850288509584166, -5.7541950100821037e-5,
    1.6448448070728897e-5, -4.4167383584587506e-6, 1.1173875391201037e-6, -2.6707938539406117e-7,
    6.0469950225419189e-8, -1.300025009986248e-8, 2.6598237246823867e-9, -5.1897956016352629e-10,
    9.6758090353732369e-11, -1.7268262914415557e-11, 2.9550526631296398e-12,
    -4.8564467831119295e-13, 7.6761854986049356e-14, -1.1685332877993452e-14,
    1.715391285555133e-15, -2.4312798465479547e-16, 3.3307945188222381e-17,
    -4.4153416464793394e-18),
          (
    0.25258718644363365, -0.17641651835783406, 0.1026436586898471, -0.052945981208094991,
    0.024726449030626517, -0.010564084894626198, 0.0041564229443128882, -0.0015135724506312531,
    0.00051228595616857577, -0.00016176081582589675, 4.7815651075500542e-5, -1.3273163656039436e-5,
    3.4702513081376785e-6, -8.5687202646954547e-7, 2.0032947535521353e-7, -4.4450591287963281e-8,
    9.3815373864957718e-9, -1.8872497517228293e-9, 3.625590281552117e-10, -6.6634897235020277e-11,
    1.1736186298890902e-11, -1.9839743977649437e-12, 3.2237933659455747e-13,
    -5.0421855047279117e-14, 7.6006842947354069e-15, -1.1055969477353863e-15,
    1.5536319577362005e-16, -2.1114212143581661e-17, 2.7779141127610464e-18))
# Of both times the root, on 8 ... infinity.
_LARGE = ((
    0.80449041101410883, 0.0033691164782556941, 6.889758346916824e-5, 2.8913705208347565e-6,
    2.0489185894690637e-7, 2.2666689904981781e-8, 3.3962320257083863e-9, 4.9406023882249696e-10,
    1.1889147107846438e-11, -3.1499165279632414e-11, -1.3215811840447713e-11,
    -1.7941785315068061e-12, 7.1801244513836662e-13, 3.8527783827421427e-13,
    1.5400862175214098e-14, -4.1505693472872221e-14, -9.5548466988283076e-15,
    3.8116806693526224e-15, 1.7725601330565264e-15, -3.4254856196772191e-16,
    -2.8276239805165835e-16, 3.4612228676974611e-17, 4.46562142029676e-17, -4.8305044859441821e-18,
    -7.233180487874754e-18, 9.9214754121736986e-19, 1.1936508908459821e-18),
          (
    0.77857623501828012, -0.0097610974913614684, -0.00011058893876262372, -3.8825648088776904e-6,
    -2.5122362378702089e-7, -2.6314688468895195e-8, -3.835380385964237e-9, -5.5897434621965838e-10,
    -1.8974958123505412e-11, 3.2526035830154882e-11, 1.4125807436613781e-11,
    2.0356285441470895e-12, -7.1985517762459085e-13, -4.0835511110921973e-13,
    -2.1015418427726643e-14, 4.2724400167119514e-14, 1.0420276984128803e-14,
    -3.8144030724370078e-15, -1.8803547755107824e-15, 3.3082023109209283e-16,
    2.9626289976459501e-16, -3.209525921993424e-17, -4.6503053684893583e-17,
    4.4143483230717079e-18, 7.5172963108421048e-18, -9.3141788673268834e-19,
    -1.242193275194891e-18))


def _chebyshev(t, coefficients):
    """Clenshaw's recurrence; the first coefficient counts half."""
    before, last = 0.0, 0.0
    for each in reversed(coefficients[1:]):
        last, before = 2 * t * last - before + each, last
    return t * last - before + coefficients[0] / 2


def _scaled(x, order):
    """e^-|x| I(x), of a float64 tensor."""
    size = x.abs()
    small = _chebyshev(size.clamp(max=8.0) / 4 - 1, _SMALL[order])
    far = size.clamp(min=8.0)
    large = _chebyshev(16 / far - 1, _LARGE[order]) / far.sqrt()
    if order == 0:
        return torch.where(size <= 8, small, large)
    return torch.where(size <= 8, small * size, large) * x.sign()


def _value(input, order, is_scaled):
    x = input.double()
    result = _scaled(x, order)
    if not is_scaled:
        # e^|x| in two halves: it may be infinite where the product is not.
        half = (x.abs() / 2).exp()
        result = result * half * half
    return result.to(input.dtype if input.is_floating_point() else torch.get_default_dtype())


class _I0(Function):
    _node_name = "I0Backward0"

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return _value(x, 0, False)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * i1(*ctx.saved_tensors)


class _I0e(Function):
    _node_name = "SpecialI0EBackward0"

    @staticmethod
    def forward(ctx, x):
        result = _value(x, 0, True)
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    def backward(ctx, gradient):
        x, result = ctx.saved_tensors
        return gradient * (i1e(x) - x.sgn() * result)


def _over(result, x):
    """I1(x) / x, and its limit at 0."""
    return torch.where(x == 0, 0.5, result / torch.where(x == 0, 1.0, x))


class _I1(Function):
    _node_name = "SpecialI1Backward0"

    @staticmethod
    def forward(ctx, x):
        result = _value(x, 1, False)
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    def backward(ctx, gradient):
        x, result = ctx.saved_tensors
        return gradient * (i0(x) - _over(result, x))


class _I1e(Function):
    _node_name = "SpecialI1EBackward0"

    @staticmethod
    def forward(ctx, x):
        result = _value(x, 1, True)
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    def backward(ctx, gradient):
        x, result = ctx.saved_tensors
        return gradient * (i0e(x) - x.sgn() * result - _over(result, x))


def i0(input):
    """The modified Bessel function of order 0."""
    return _I0.apply(input)


def i0e(input):
    """The same times e^-|x|."""
    return _I0e.apply(input)


def i1(input):
    """The modified Bessel function of order 1."""
    return _I1.apply(input)


def i1e(input):
    """The same times e^-|x|."""
    return _I1e.apply(input)

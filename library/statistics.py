"""Averages and spreads of lists of numbers."""
import math as _math


class StatisticsError(ValueError):
    pass


def _values(data, least, message):
    values = list(data)
    if len(values) < least:
        raise StatisticsError(message)
    return values


def _exact(total, count):
    quotient = total / count
    if isinstance(total, int) and total % count == 0:
        return total // count
    return quotient


def mean(data):
    values = _values(data, 1, "mean requires at least one data point")
    total = _math.fsum(values)
    if all([isinstance(value, int) for value in values]):
        return _exact(sum(values), len(values))
    return total / len(values)


def fmean(data, weights=None):
    values = _values(data, 1, "fmean requires at least one data point")
    if weights is None:
        return _math.fsum(values) / len(values)
    weights = list(weights)
    return _math.fsum([v * w for v, w in zip(values, weights)]) / _math.fsum(weights)


def geometric_mean(data):
    return _math.exp(fmean([_math.log(value) for value in data]))


def harmonic_mean(data):
    values = _values(data, 1, "harmonic_mean requires at least one data point")
    return len(values) / _math.fsum([1 / value for value in values])


def median(data):
    values = sorted(data)
    n = len(values)
    if n == 0:
        raise StatisticsError("no median for empty data")
    if n % 2 == 1:
        return values[n // 2]
    return (values[n // 2 - 1] + values[n // 2]) / 2


def median_low(data):
    values = sorted(data)
    if not values:
        raise StatisticsError("no median for empty data")
    return values[(len(values) - 1) // 2]


def median_high(data):
    values = sorted(data)
    if not values:
        raise StatisticsError("no median for empty data")
    return values[len(values) // 2]


def multimode(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def mode(data):
    modes = multimode(data)
    if not modes:
        raise StatisticsError("no mode for empty data")
    return modes[0]


def _spread(values, center, degrees):
    """The squared distances from the mean, summed and divided by `degrees`."""
    n = len(values)
    if center is None and all([isinstance(value, int) for value in values]):
        total = sum(values)
        return _exact(n * sum([value * value for value in values]) - total * total, n * degrees)
    if center is not None:
        return _math.fsum([(value - center) ** 2 for value in values]) / degrees
    # Exact to the last digit or so: each square as a sum of two floats, the mean left unrounded.
    total = _math.fsum(values)
    center = total / n
    parts = []
    rest = []
    for value in values:
        difference = value - center
        parts.extend(_square(difference))
        rest.append(difference)
    parts.append(-_math.fsum(rest) ** 2 / n)
    return _math.fsum(parts) / degrees


def _square(x):
    """x * x as two floats whose sum is exact."""
    split = 134217729.0 * x
    high = split - (split - x)
    low = x - high
    product = x * x
    return product, ((high * high - product) + 2.0 * high * low) + low * low


def variance(data, xbar=None):
    values = _values(data, 2, "variance requires at least two data points")
    return _spread(values, xbar, len(values) - 1)


def pvariance(data, mu=None):
    values = _values(data, 1, "pvariance requires at least one data point")
    return _spread(values, mu, len(values))


def stdev(data, xbar=None):
    values = _values(data, 2, "stdev requires at least two data points")
    return _math.sqrt(_spread(values, xbar, len(values) - 1))


def pstdev(data, mu=None):
    values = _values(data, 1, "pstdev requires at least one data point")
    return _math.sqrt(_spread(values, mu, len(values)))


def quantiles(data, *, n=4, method="exclusive"):
    values = sorted(data)
    count = len(values)
    if n < 1:
        raise StatisticsError("n must be at least 1")
    if count < 2:
        raise StatisticsError("must have at least two data points")
    result = []
    if method == "inclusive":
        m = count - 1
        for i in range(1, n):
            j, delta = divmod(i * m, n)
            result.append((values[j] * (n - delta) + values[j + 1] * delta) / n)
        return result
    m = count + 1
    for i in range(1, n):
        j = i * m // n
        j = 1 if j < 1 else count - 1 if j > count - 1 else j
        delta = i * m - j * n
        result.append((values[j - 1] * (n - delta) + values[j] * delta) / n)
    return result


def correlation(x, y):
    n = len(x)
    xbar = _math.fsum(x) / n
    ybar = _math.fsum(y) / n
    sxy = _math.fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)])
    sxx = _math.fsum([(a - xbar) ** 2 for a in x])
    syy = _math.fsum([(b - ybar) ** 2 for b in y])
    return sxy / _math.sqrt(sxx * syy)

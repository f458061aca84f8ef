"""Every distribution of both classes, with few and many numbers, with one and with arrays of parameters."""
import numpy as np

CALLS = [
    ("uniform", -1, 3.5), ("normal", 0.5, 2), ("lognormal", 0, 0.5), ("exponential", 2.5), ("laplace", 1, 2),
    ("gamma", 0.3, 2), ("gamma", 4.5, 2), ("gamma", 1, 3), ("gamma", 0.0, 1), ("beta", 0.3, 0.4), ("beta", 2, 3.5),
    ("beta", 1, 1), ("chisquare", 3), ("f", 3, 4.5), ("standard_t", 5), ("standard_cauchy",), ("pareto", 3),
    ("weibull", 1.5), ("weibull", 0), ("power", 2.5), ("gumbel", 0, 2), ("logistic", 1, 2), ("rayleigh", 2),
    ("triangular", -1, 0.5, 4), ("standard_normal",), ("standard_exponential",), ("standard_gamma", 7.25),
    ("poisson", 0), ("poisson", 3.5), ("poisson", 35.5), ("poisson", 1e6), ("binomial", 0, 0.5), ("binomial", 10, 0.3),
    ("binomial", 10, 0.8), ("binomial", 1000, 0.3), ("binomial", 100000, 0.9), ("binomial", 7, 1),
    ("negative_binomial", 5, 0.3), ("geometric", 0.5), ("geometric", 0.01), ("geometric", 1e-300), ("logseries", 0.7),
    ("noncentral_chisquare", 3, 2.5), ("noncentral_chisquare", 0.5, 2.5), ("noncentral_f", 3, 4, 2.5), ("wald", 10, 0.1),
    ("vonmises", 0.5, 2), ("vonmises", 0, 1e-6), ("vonmises", 0, 1e-9), ("vonmises", -3, 50), ("vonmises", 3.1, 1e7),
    ("zipf", 2), ("zipf", 1.1), ("zipf", 1000.0),
]


def digest(numbers):
    """One int that any other last digit changes."""
    result = 0
    for number in numbers:
        result = (result * 31 + hash(number) % 1000003) % 1000000007
    return result


for rng in (np.random.RandomState(7), np.random.default_rng(7)):
    print(str(rng))
    for name, *of in CALLS:
        draw = getattr(rng, name)
        many = draw(*of, size=3000)
        print(name, of, draw(*of), many[:2].tolist(), many.dtype, digest(many.tolist()))
    print(rng.normal([0, 10], [1, 2]).tolist(), rng.normal([0, 10], 1, size=(2, 2)).tolist())
    print(rng.binomial([3, 50, 500], [[0.1], [0.9]]).tolist(), rng.poisson(np.array([1, 20])).tolist())
    print(rng.uniform([1, 2], 5).tolist(), rng.gamma(np.float64(2), size=np.int64(2)).tolist())
    print(rng.normal(size=()).shape, rng.normal(size=(0, 3)).shape, type(rng.normal(np.array(1.0))).__name__)
    print(rng.multinomial(20, [0.2, 0.3, 0.5]).tolist(), rng.multinomial(20, [1 / 6.0] * 6, size=(2, 2)).tolist())
    print(rng.dirichlet([1, 2, 3]).tolist(), rng.dirichlet([0.01, 0.02, 0.03], 2).tolist())
    print(rng.bytes(10), rng.bytes(0))
    for cov in ([[2, 0.5], [0.5, 1]], [[1, -0.5], [-0.5, 3]], [[1, 0.9], [0.9, 1]], [[4, 0], [0, 9]]):
        print([[round(x, 9) for x in row] for row in rng.multivariate_normal([1, 2], cov, 2).tolist()])
    print([round(x, 9) for x in rng.multivariate_normal([0, 1, 2], np.eye(3)).tolist()])

# The tails of the ziggurats.
rng = np.random.default_rng(11)
for kind in ("float64", "float32"):
    for draw in (rng.random, rng.standard_normal, rng.standard_exponential):
        many = draw(200000, dtype=kind).tolist()
        print(digest(many), min(many), max(many), draw(dtype=kind))
    print([digest(rng.standard_gamma(shape, 2000, dtype=kind).tolist()) for shape in (0.5, 1.0, 3.0)])
print(digest(rng.standard_exponential(1000, method="inv").tolist()), rng.standard_exponential(method="inv", dtype="float32"))
out = np.zeros((2, 2))
print(rng.random(out=out) is out, out.tolist())
print(rng.multinomial([5, 6], [[0.5, 0.5], [0.1, 0.9]]).tolist(), rng.multinomial([[5], [6]], [0.5, 0.5]).tolist())
print(rng.dirichlet([0, 0]).tolist(), rng.beta(1e-200, 3e-200, size=4).tolist())
for method in ("svd", "cholesky"):
    print([round(x, 9) for x in rng.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]], method=method).tolist()])

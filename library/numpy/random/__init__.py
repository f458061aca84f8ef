"""Random numbers: NumPy's own for the same seed.

    np.random.seed(0)
    np.random.rand(2)                        array([0.5488135 , 0.71518937])
    np.random.default_rng(0).random(2)       array([0.63696169, 0.26978671])

The functions here are the methods of one `RandomState`, seeded by chance. The native part
(`_numpy_random`) makes the numbers; what is here checks arguments and shapes, and wraps tensors.
"""
from numpy.random._bit_generators import MT19937, PCG64, BitGenerator, SeedSequence
from numpy.random._generator import Generator, default_rng
from numpy.random._legacy import RandomState

_rand = RandomState()
for _name in """beta binomial bytes chisquare choice dirichlet exponential f gamma geometric get_state
        gumbel laplace logistic lognormal logseries multinomial multivariate_normal
        negative_binomial noncentral_chisquare noncentral_f normal pareto permutation poisson power
        rand randint randn random random_sample rayleigh seed set_state shuffle standard_cauchy
        standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises
        wald weibull zipf""".split():
    globals()[_name] = getattr(_rand, _name)
ranf = sample = random_sample  # noqa: F821, from the loop
del _name

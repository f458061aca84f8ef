# tolerance: 1e-4
# Distributions that few scripts use: samples of a seed, log probabilities, moments, divergences.
import torch
import torch.distributions as D
from torch.distributions import constraints, transforms as T

one, two = torch.tensor([0.5, 2.0, 9.5]), torch.tensor([1.5, 0.7, 3.0])
made = {
    "Gamma": (D.Gamma(one, two), D.Gamma(two, one)),
    "Chi2": (D.Chi2(one), None),
    "InverseGamma": (D.InverseGamma(one + 2, two), None),
    "Beta": (D.Beta(one, two), D.Beta(two, one)),
    "StudentT": (D.StudentT(one, two, two), None),
    "Poisson": (D.Poisson(one), D.Poisson(two)),
    "Binomial": (D.Binomial(30, probs=torch.tensor([0.1, 0.5, 0.9])), D.Binomial(30, logits=one)),
    "NegativeBinomial": (D.NegativeBinomial(5, probs=torch.tensor([0.1, 0.5, 0.9])), None),
    "Geometric": (D.Geometric(torch.tensor([0.1, 0.5, 0.9])), D.Geometric(logits=two)),
    "HalfNormal": (D.HalfNormal(one), D.HalfNormal(two)),
    "HalfCauchy": (D.HalfCauchy(one), None),
    "Cauchy": (D.Cauchy(one, two), None),
    "Gumbel": (D.Gumbel(one, two), D.Gumbel(two, one)),
    "Weibull": (D.Weibull(one, two), None),
    "Pareto": (D.Pareto(one, two), D.Pareto(one + 0.1, two)),
    "Kumaraswamy": (D.Kumaraswamy(one, two), None),
    "LogisticNormal": (D.LogisticNormal(one / 5, two / 3), None),
    "FisherSnedecor": (D.FisherSnedecor(one, two), None),
    "VonMises": (D.VonMises(one, two), None),
    "RelaxedBernoulli": (D.RelaxedBernoulli(torch.tensor(0.7), probs=torch.tensor([0.1, 0.5, 0.9])), None),
    "RelaxedOneHotCategorical": (D.RelaxedOneHotCategorical(torch.tensor(0.7), logits=one), None),
    "Dirichlet": (D.Dirichlet(one), D.Dirichlet(two)),
    "Multinomial": (D.Multinomial(12, probs=torch.tensor([0.2, 0.3, 0.5])), None),
    "MultivariateNormal": (
        D.MultivariateNormal(one, covariance_matrix=torch.tensor([[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 1.5]])),
        D.MultivariateNormal(two, scale_tril=torch.diag(one))),
    "LowRankMultivariateNormal": (D.LowRankMultivariateNormal(one, torch.tensor([[1.0], [0.5], [-0.3]]), two), None),
    "MixtureSameFamily": (D.MixtureSameFamily(D.Categorical(one), D.Normal(one, two)), None),
}

for name, (p, q) in made.items():
    torch.manual_seed(7)
    print(name, p, p.batch_shape, p.event_shape, p.has_rsample)
    x = p.sample()
    print(" ", x, p.sample((2, 2)).shape, p.expand((2,) + tuple(p.batch_shape)).sample().shape)
    print(" ", p.log_prob(x))
    for part in ("mean", "variance", "mode", "stddev"):
        try:
            print("  ", part, getattr(p, part))
        except NotImplementedError:
            print("  ", part, "is not there")
    try:
        print("  entropy", p.entropy())
    except NotImplementedError:
        print("  entropy is not there")
    if q is not None:
        print("  divergence", D.kl_divergence(p, q))

print(D.kl_divergence(D.Normal(one, two), D.Laplace(two, one)), D.kl_divergence(D.Laplace(two, one), D.Normal(one, two)))
print(D.kl_divergence(D.Gamma(one, two), D.Beta(one, two)))
print(D.kl_divergence(D.Uniform(torch.zeros(3), one), D.Normal(one, two)))

# Gradients of samples.
for make in (lambda a: D.Gamma(a, two), lambda a: D.Beta(a, two), lambda a: D.Dirichlet(a), lambda a: D.Chi2(a),
             lambda a: D.StudentT(a), lambda a: D.Dirichlet(a * 10), lambda a: D.Gamma(a * 20, two)):
    torch.manual_seed(1)
    a = torch.tensor([0.4, 2.5, 6.0], requires_grad=True)
    (make(a).rsample((5,)) * torch.arange(1.0, 4.0)).sum().backward()
    print(a.grad)
torch.manual_seed(1)
loc = torch.zeros(3, requires_grad=True)
tril = torch.eye(3, requires_grad=True)
normal = D.MultivariateNormal(loc, scale_tril=tril)
(normal.rsample((4,)) * torch.arange(1.0, 4.0)).sum().backward()
print(loc.grad, tril.grad)
print(D.MultivariateNormal(torch.zeros(2), precision_matrix=torch.tensor([[2.0, 0.3], [0.3, 1.0]])).covariance_matrix)
batch = D.MultivariateNormal(torch.zeros(4, 1, 2), torch.eye(2).expand(3, 2, 2))
print(batch, batch.log_prob(torch.ones(4, 3, 2)), batch.entropy())

# Transforms.
torch.manual_seed(2)
squashed = D.TransformedDistribution(D.Normal(torch.zeros(3), torch.ones(3)), [T.TanhTransform(cache_size=1)])
action = squashed.rsample()
print(squashed, action, squashed.log_prob(action), squashed.support)
chain = D.TransformedDistribution(D.Normal(0.0, 1.0), [T.AffineTransform(1.0, 2.0), T.SigmoidTransform()])
print(chain.log_prob(torch.tensor(0.3)), chain.cdf(torch.tensor(0.3)), chain.icdf(torch.tensor(0.3)))
independent = D.Independent(squashed, 1)
print(independent.log_prob(action), independent.event_shape)
x = torch.tensor([0.3, -0.2, 0.7])
for transform in (T.ExpTransform(), T.SigmoidTransform(), T.SoftplusTransform(), T.TanhTransform(),
                  T.AffineTransform(1.0, -2.0), T.PowerTransform(torch.tensor(2.0)), T.StickBreakingTransform(),
                  T.SoftmaxTransform(), T.ComposeTransform([T.ExpTransform(), T.AffineTransform(0.0, 3.0)]),
                  T.IndependentTransform(T.ExpTransform(), 1), T.CorrCholeskyTransform(),
                  T.ReshapeTransform((3,), (3, 1)), T.StackTransform([T.ExpTransform(), T.TanhTransform(), T.identity_transform]),
                  T.CatTransform([T.ExpTransform(), T.TanhTransform()], lengths=[1, 2])):
    y = transform(x)
    print(transform, y, transform.inv(y), transform.bijective)
    if not isinstance(transform, T.SoftmaxTransform):
        print("  ", transform.log_abs_det_jacobian(x, y))
print(D.transform_to(constraints.positive)(x), D.transform_to(constraints.simplex)(x),
      D.biject_to(constraints.interval(-1.0, 2.0))(x), D.transform_to(constraints.greater_than(3.0))(x))
for constraint in (constraints.positive_definite, constraints.lower_cholesky, constraints.nonnegative_integer,
                   constraints.half_open_interval(0, 1), constraints.simplex):
    print(constraint)
print(constraints.positive_definite.check(torch.tensor([[[2.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])))
print(D.Normal(0.0, 1.0).icdf(torch.tensor([0.1, 0.5, 0.9])), D.Laplace(0.0, 1.0).icdf(torch.tensor([0.1, 0.9])))
torch.manual_seed(5)
straight = D.OneHotCategoricalStraightThrough(logits=x.clone().requires_grad_())
print(straight.rsample((2,)))

for wrong in (lambda: D.Gamma(torch.tensor(-1.0), 1.0), lambda: D.Beta(1.0, 1.0).log_prob(torch.tensor(2.0)),
              lambda: D.MultivariateNormal(torch.zeros(2), -torch.eye(2)), lambda: D.Dirichlet(torch.tensor(1.0)),
              lambda: D.MultivariateNormal(torch.zeros(2)), lambda: D.kl_divergence(D.Cauchy(1.0, 1.0), D.Gamma(1.0, 1.0)),
              lambda: D.Poisson(3.0).log_prob(torch.tensor(1.5)), lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), 3)):
    try:
        wrong()
    except (ValueError, NotImplementedError) as error:
        print(type(error).__name__, error)


@torch.compile
def loss(mean, deviation, target):
    policy = D.TransformedDistribution(D.Normal(mean, deviation), [T.TanhTransform()])
    return -policy.log_prob(target).sum() + D.kl_divergence(D.Gamma(deviation, deviation), D.Gamma(target, target)).sum()


print(loss(torch.zeros(3), torch.ones(3), torch.tensor([0.1, 0.5, 0.9])))

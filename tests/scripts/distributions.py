# Probability distributions: samples for a seed, log probabilities, entropies, divergences, gradients, checks.
import torch
import torch.nn as nn
from torch.distributions import (
    Bernoulli, Categorical, Exponential, Independent, Laplace, LogNormal, Normal, OneHotCategorical, Uniform,
    kl_divergence)

torch.manual_seed(0)
loc, scale = torch.tensor([0.0, 1.0, -2.0]), torch.tensor([1.0, 0.5, 1.5])
rate = torch.tensor([0.5, 2.0])
each = [
    Normal(loc, scale), Normal(0.0, 1.0), Laplace(loc, scale), LogNormal(loc, scale), Exponential(rate),
    Uniform(torch.tensor([0.0, -1.0]), torch.tensor([1.0, 3.0])), Bernoulli(torch.tensor([0.3, 0.9])),
    Bernoulli(logits=torch.tensor([0.3, -0.9])), Categorical(torch.tensor([[0.2, 0.3, 0.5], [1.0, 1.0, 2.0]])),
    Categorical(logits=torch.tensor([1.0, 2.0, 3.0])), OneHotCategorical(torch.tensor([0.1, 0.6, 0.3])),
    Independent(Normal(loc, scale), 1),
]
for d in each:
    sample = d.sample()
    print(d, tuple(d.batch_shape), tuple(d.event_shape))
    print(" ", sample, d.sample((2,)).shape, d.log_prob(sample), d.entropy())
    print(" ", d.mean, d.variance, d.stddev, d.mode)
print(Normal(loc, scale).cdf(torch.zeros(3)), Uniform(0.0, 4.0).cdf(torch.tensor(1.0)), Laplace(0.0, 1.0).cdf(torch.tensor(1.0)))
print(Exponential(2.0).cdf(torch.tensor(1.0)), Exponential(2.0).icdf(torch.tensor(0.5)), LogNormal(0.0, 1.0).cdf(torch.tensor(2.0)))

# reparametrised samples carry gradients
mu = torch.zeros(3, requires_grad=True)
log_sigma = torch.zeros(3, requires_grad=True)
z = Normal(mu, log_sigma.exp()).rsample((4,))
(z**2).mean().backward()
print(z.shape, mu.grad, log_sigma.grad)
print(Normal(mu, 1.0).sample().requires_grad, Uniform(mu, mu + 1).rsample().requires_grad)

# divergences
p, q = Normal(loc, scale), Normal(torch.zeros(3), torch.ones(3))
print(kl_divergence(p, q), kl_divergence(Independent(p, 1), Independent(q, 1)))
print(kl_divergence(Bernoulli(torch.tensor([0.2, 0.0])), Bernoulli(torch.tensor([0.5, 0.5]))))
print(kl_divergence(Categorical(torch.tensor([0.2, 0.8])), Categorical(logits=torch.zeros(2))))
print(kl_divergence(Exponential(1.0), Exponential(2.0)), kl_divergence(Laplace(0.0, 1.0), Laplace(1.0, 2.0)))
print(kl_divergence(Uniform(torch.zeros(2), torch.ones(2)), Uniform(torch.tensor([-1.0, 0.5]), torch.full((2,), 2.0))))

# a policy gradient
policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
states = torch.randn(16, 4)
for step in range(3):
    choice = Categorical(logits=policy(states))
    actions = choice.sample()
    rewards = (actions == (states[:, 0] > 0).long()).float()
    loss = -(choice.log_prob(actions) * (rewards - rewards.mean())).mean() - 0.01 * choice.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}", rewards.mean().item(), choice.probs[0].detach())


# what is refused
for bad in (
    lambda: Normal(0.0, -1.0), lambda: Normal(loc, torch.tensor([1.0, 0.0, 1.0])), lambda: Categorical(),
    lambda: Categorical(torch.tensor([-0.5, 1.0])), lambda: Bernoulli(1.5), lambda: Uniform(1.0, 0.0),
    lambda: Bernoulli(0.5).log_prob(torch.tensor(2.0)), lambda: Normal(loc, scale).log_prob(torch.zeros(2)),
    lambda: Normal(0.0, 1.0).log_prob(1.0), lambda: Categorical(torch.ones(3)).log_prob(torch.tensor(3)),
    lambda: kl_divergence(Uniform(0.0, 1.0), Categorical(torch.ones(2))), lambda: Independent(Normal(0.0, 1.0), 1),
):
    try:
        bad()
    except (ValueError, NotImplementedError) as error:
        print(type(error).__name__, error)
print(Normal(-1.0, 1.0, validate_args=False), Normal(0.0, 1.0).expand((2, 3)).sample().shape)
print(Categorical(torch.ones(3)).enumerate_support(), Bernoulli(torch.ones(2) / 2).enumerate_support())


# compiled code comes last: torch.compile's first use turns PyTorch's checks off
@torch.compile
def elbo(x, mu, log_sigma):
    q = Normal(mu, log_sigma.exp(), validate_args=False)
    prior = Normal(torch.zeros_like(mu), torch.ones_like(mu), validate_args=False)
    return q.log_prob(x).sum() - kl_divergence(q, prior).sum()


print(elbo(torch.ones(3), loc, scale.log()))

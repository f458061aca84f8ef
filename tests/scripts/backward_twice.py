# What a second backward may do: go where the first has freed nothing. A number that is a factor is
# kept, as a tensor is; of the results of one function each goes backward on its own.
import torch


def attempt(what):
    try:
        print(what())
    except RuntimeError as error:
        print(str(error)[:50])


def twice(make):
    w = torch.tensor([0.5, 1.0, 1.5], requires_grad=True)
    result = make(w).sum()

    def run():
        result.backward()
        result.backward()
        return w.grad

    attempt(run)


for make in (
    lambda w: w * 2,
    lambda w: 2 * w,
    lambda w: w / 2,
    lambda w: 2 / w,
    lambda w: w + 2,
    lambda w: 2 - w,
    lambda w: -w,
    lambda w: w**2,
    lambda w: w.mul(3.0),
    lambda w: w.mean(),
    lambda w: torch.lerp(w, torch.ones(3), 0.5),
    lambda w: w.add(w, alpha=2),
    lambda w: w.view(3, 1).expand(3, 2),
    lambda w: w.double(),
    lambda w: w.clone().mul_(2),
    lambda w: w % 2,
    lambda w: w.exp(),
    lambda w: w[1:],
    lambda w: torch.cat([w, w]),
    lambda w: w.max(),
    lambda w: w.abs(),
    lambda w: w.clamp(0.6, 1.2),
    lambda w: torch.where(w > 1, w, 2.0),
    lambda w: torch.nn.functional.relu(w),
    lambda w: torch.nn.functional.dropout(w, 0.0),
):
    twice(make)


def parameters():
    return torch.ones(3, requires_grad=True), torch.full((3,), 2.0, requires_grad=True)


def losses(x, w, u):
    return (x * w).exp().sum(), (u**2).sum()


def shared(x, w, u):
    h = torch.tanh(x * w)
    return (h * h).sum(), (h * u).sum()


def shared_view(x, w, u):
    h = (x + w).view(3, 1)
    return (h * h).sum(), (h.sum() + u).sum(), h


for function in (losses, shared, shared_view):
    for i in range(3):
        w, u = parameters()
        results = function(torch.ones(3), w, u)
        results[0].backward()
        attempt(lambda: (results[1].backward(), w.grad, u.grad))
        attempt(lambda: (results[1].backward(), w.grad, u.grad))
        if len(results) == 3:
            attempt(lambda: (results[2].sum().backward(), w.grad))
            attempt(lambda: (results[2].sum().backward(), w.grad))


# With a break before the first backward.
def steps(x, w, u):
    a = (x * w).exp().sum()
    b = (u**2).sum()
    print("middle")
    a.backward()
    b.backward()
    return w.grad + u.grad


compiled = torch.compile(steps, backend="eager")
for i in range(3):
    w, u = parameters()
    print(compiled(torch.ones(3), w, u))


# A kept graph, then a freed one.
for i in range(3):
    w, u = parameters()
    a, b = shared(torch.ones(3), w, u)
    a.backward(retain_graph=True)
    b.backward()
    attempt(lambda: (a.backward(), w.grad))
    attempt(lambda: torch.autograd.grad(b, w))


# Two players, one function: each has its own loss.
generator, critic = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
with torch.no_grad():
    for p in [*generator.parameters(), *critic.parameters()]:
        p.fill_(0.25)
first = torch.optim.SGD(generator.parameters(), lr=0.1)
second = torch.optim.SGD(critic.parameters(), lr=0.1)


def play(x, noise):
    fake = generator(noise)
    of_critic = (critic(fake.detach()) - critic(x)).mean()
    of_generator = -critic(fake).mean()
    return of_critic, of_generator


for i in range(4):
    of_critic, of_generator = play(torch.ones(4, 2), torch.ones(4, 2) * i)
    second.zero_grad()
    of_critic.backward()
    first.zero_grad()
    of_generator.backward()
    first.step()
    second.step()
    print(of_critic, of_generator)
print(generator.weight, critic.weight)


# What went backward inside a function may be written behind it, through a view too.
def written(x, w):
    v = x * w
    v.sum().backward()
    v[1].mul_(2)
    return v.sum()


compiled = torch.compile(written, backend="eager")
for i in range(3):
    w = torch.ones(2, 3, requires_grad=True)
    result = compiled(torch.ones(2, 3) * i, w)
    print(result.item(), w.grad)
    attempt(lambda: (result.backward(), w.grad))

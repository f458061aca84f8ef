# Numbers that change from call to call and come out of zip, enumerate and reversed: eight compiles
# would be followed by a warning.
# tolerance: 1e-5
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.5)


@torch.compile(backend="eager")
def step(x, rate, momentum):
    for group, value in zip(optimizer.param_groups, [rate]):
        group["lr"] = value
    for i, value in enumerate([momentum, rate]):
        if i == 0:
            optimizer.param_groups[0]["momentum"] = value
    optimizer.zero_grad()
    loss = ((w - x) ** 2).sum()
    loss.backward()
    optimizer.step()
    return loss


for i in range(14):
    print(step(torch.zeros(3), 0.1 / (i + 1), 0.5 + 0.01 * i).item())
print(w)

schedules = {
    "exponential": lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.9),
    "cosine": lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 20),
    "polynomial": lambda o: torch.optim.lr_scheduler.PolynomialLR(o, 20),
    "linear": lambda o: torch.optim.lr_scheduler.LinearLR(o, 0.5, 1.0, 20),
}
for name, make in schedules.items():
    torch._dynamo.reset()
    v = torch.ones(3, requires_grad=True)
    inner = torch.optim.SGD([v], lr=0.1)
    schedule = make(inner)

    @torch.compile(backend="eager")
    def train(x):
        inner.zero_grad()
        ((v - x) ** 2).sum().backward()
        inner.step()
        schedule.step()

    for i in range(12):
        train(torch.zeros(3))
    print(name, v, schedule.get_last_lr())


@torch.compile(backend="eager")
def weighted(x, a, b):
    total = x * 0
    for i, scale in enumerate(reversed([a, b])):
        total = total + x * scale * i
    for left, right in zip((a, b), (b, a)):
        total = total + left - right * x
    return total


for i in range(12):
    print(weighted(torch.arange(3.0), 0.5 * i, 1.5 + i))


@torch.compile(backend="eager")
def sizes(x):
    total = 0
    for i, n in enumerate(x.shape):
        total = total + n * (i + 1)
    return x.sum() + total


for i in range(2, 14):
    print(sizes(torch.ones(i, 3)))


# A break in the middle of such a loop, with what it hands out still to come.
@torch.compile(backend="eager")
def broken(x, a, b):
    total = x * 0
    for i, (left, right) in enumerate(zip([a, b, a + b], [b, a, a - b])):
        total = total + x * left
        if i == 1:
            print("sum", total.sum())
        total = total - right
    return total


for i in range(12):
    print(broken(torch.ones(2), 0.25 * i, 2.0 - i))

# tolerance: 2e-4
# LBFGS: with and without a line search, its history, its state, what it refuses, compiled.
import torch
from torch import nn, optim
from torch.optim import LBFGS


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def shown(value):
    if isinstance(value, list):
        return [shown(each) for each in value if each is not None]
    return value.shape if isinstance(value, torch.Tensor) else type(value).__name__


def minimise(steps=4, dtype=torch.float64, start=(-1.2, 1.0), sign=1.0, **options):
    x = torch.tensor(start, dtype=dtype, requires_grad=True)
    optimizer = LBFGS([x], **options)
    calls = []

    def closure():
        optimizer.zero_grad()
        loss = sign * rosenbrock(x)
        loss.backward()
        calls.append(loss.item())
        return loss

    for _ in range(steps):
        print(f"{optimizer.step(closure).item():.6g} {len(calls)}", x.detach())
    state = optimizer.state[x]
    print(state["n_iter"], state["func_evals"], list(state), [shown(value) for value in state.values()])
    return optimizer


print(optim.LBFGS([torch.ones(1, requires_grad=True)], lr=0.5))
minimise(line_search_fn="strong_wolfe")
minimise(line_search_fn="strong_wolfe", max_iter=5, history_size=3)
minimise(line_search_fn="strong_wolfe", max_iter=30, max_eval=12, steps=3)
minimise(line_search_fn="strong_wolfe", maximize=True, sign=-1.0)
minimise(lr=0.001, max_iter=4)
minimise(lr=0.1, max_iter=1, start=(0.9, 0.8), steps=6)
minimise(lr=0.5, start=(1.0, 1.0))
minimise(lr=0.2, max_iter=6, history_size=2, start=(0.9, 0.8), dtype=torch.float32)
minimise(lr=0.01, maximize=True, sign=-1.0, max_iter=3)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).double()
x = torch.randn(16, 3, dtype=torch.float64)
y = x.sin().sum(1, keepdim=True)
optimizer = optim.LBFGS(model.parameters(), max_iter=6, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


for _ in range(4):
    print(f"{optimizer.step(closure).item():.6f}")
saved = optimizer.state_dict()
print(saved["param_groups"], list(saved["state"]), saved["state"][0]["n_iter"])
other = optim.LBFGS(model.parameters())
other.load_state_dict(saved)
print(other.param_groups[0]["max_iter"], len(other.state))
optimizer = other
print(f"{optimizer.step(closure).item():.6f} {closure().item():.6f}")

# A step in a compiled function; and a closure that is compiled.
for whole in (True, False):
    w = torch.tensor([2.0, -1.0], dtype=torch.float64, requires_grad=True)
    quadratic = optim.LBFGS([w], lr=0.5, max_iter=4)

    def loss_of():
        return ((w - 3.0) ** 2 * torch.tensor([1.0, 5.0], dtype=torch.float64)).sum()

    inner = loss_of if whole else torch.compile(loss_of)

    def again():
        quadratic.zero_grad()
        loss = inner()
        loss.backward()
        return loss

    def step():
        return quadratic.step(again)

    run = torch.compile(step) if whole else step
    for _ in range(3):
        print(f"{run().item():.6f}", w.detach())

one = torch.ones(2, requires_grad=True)
attempt("lr", lambda: LBFGS([one], lr=-1.0))
attempt("groups", lambda: LBFGS([{"params": [one]}, {"params": [torch.ones(1, requires_grad=True)]}]))
attempt("no closure", lambda: LBFGS([one]).step())


def refused():
    optimizer = LBFGS([one], line_search_fn="armijo")

    def closure():
        optimizer.zero_grad()
        (one ** 2).sum().backward()
        return (one ** 2).sum()

    optimizer.step(closure)


attempt("line search", refused)

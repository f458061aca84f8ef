# tolerance: 1e-5
# Rprop and ASGD: their steps, states, texts and errors, eager and in a compiled step.
import copy
import torch
from torch import nn, optim


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def train(make, steps=8, compiled=False):
    weight = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    bias = torch.tensor([0.53, -0.41], requires_grad=True)
    optimizer = make([{"params": [weight]}, {"params": [bias], "lr": 0.05}])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5], [0.3, -0.7]])

    def step():
        optimizer.zero_grad()
        loss = ((x @ weight + bias - 1.0) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    run = torch.compile(step) if compiled else step
    losses = [run().item() for _ in range(steps)]
    print([round(loss, 4) for loss in losses])
    print(weight.detach(), bias.detach())
    if not compiled:
        print(optimizer)
        state = optimizer.state_dict()
        print(state["param_groups"], state["state"])
    return optimizer


makers = (lambda p: optim.Rprop(p), lambda p: optim.Rprop(p, lr=0.1, etas=(0.3, 1.5), step_sizes=(0.02, 0.3)),
          lambda p: optim.Rprop(p, maximize=True), lambda p: optim.Rprop(p, foreach=True),
          lambda p: optim.ASGD(p), lambda p: optim.ASGD(p, lr=0.1, lambd=0.02, alpha=0.5, t0=3),
          lambda p: optim.ASGD(p, weight_decay=0.1, maximize=True, t0=0))
for make in makers:
    for compiled in (False, True):
        train(make, compiled=compiled)

for make in makers[:1] + makers[5:6]:
    again = train(make, steps=5)
    other = make(again.param_groups)
    other.load_state_dict(copy.deepcopy(again.state_dict()))
    print(len(other.state), other.param_groups[1]["lr"])
    for optimizer in (again, other):
        for group in optimizer.param_groups:
            for param in group["params"]:
                param.grad = torch.full_like(param, 0.25)
        optimizer.step()
        print([param.detach() for group in optimizer.param_groups for param in group["params"]])

double = torch.tensor([1.0, -3.0], dtype=torch.float64, requires_grad=True)
for make in (optim.Rprop, optim.ASGD):
    optimizer = make([double])
    for _ in range(3):
        optimizer.zero_grad()
        (double ** 2).sum().backward()
        print(optimizer.step(lambda: torch.tensor(2.0)), [round(each, 9) for each in double.tolist()])

for make in (optim.Rprop, optim.ASGD, lambda params, lr: optim.LBFGS(params, lr=lr, max_iter=2)):
    rated = torch.tensor([1.0, -3.0], requires_grad=True)
    optimizer = make([rated], lr=torch.tensor(0.1))

    def closure():
        optimizer.zero_grad()
        loss = (rated ** 2).sum()
        loss.backward()
        return loss

    for _ in range(3):
        optimizer.step(closure)
    print(rated.detach())

one = [torch.ones(1, requires_grad=True)]
attempt("lr", lambda: optim.Rprop(one, lr=-1.0))
attempt("etas", lambda: optim.Rprop(one, etas=(1.5, 1.2)))
attempt("lr", lambda: optim.ASGD(one, lr=-1.0))
attempt("lambd", lambda: optim.ASGD(one, lambd=-1.0))
attempt("alpha", lambda: optim.ASGD(one, alpha=-1.0))
attempt("weight decay", lambda: optim.ASGD(one, weight_decay=-1.0))
attempt("two lr", lambda: optim.Rprop(one, lr=torch.tensor([0.5, 1.0])))
attempt("two lr", lambda: optim.ASGD(one, lr=torch.tensor([0.5, 1.0])))

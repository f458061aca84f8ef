# tolerance: 1e-5
# Adadelta, Adamax, NAdam and RAdam: their steps, states, texts and errors.
import torch
from torch import nn


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def train(make, steps=8):
    weight = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    bias = torch.tensor([0.5, -0.5], requires_grad=True)
    optimizer = make([{"params": [weight]}, {"params": [bias], "lr": 0.05}])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5], [0.3, -0.7]])
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((x @ weight + bias - 1.0) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(optimizer)
    print(weight.detach(), bias.detach())
    state = optimizer.state_dict()
    print(state["param_groups"], {key: torch.as_tensor(value) for key, value in state["state"][0].items()})
    return optimizer


optim = torch.optim
for make in (lambda p: optim.Adadelta(p), lambda p: optim.Adadelta(p, lr=0.3, rho=0.7, weight_decay=0.1),
             lambda p: optim.Adamax(p, lr=0.02), lambda p: optim.Adamax(p, betas=(0.7, 0.8), weight_decay=0.1, maximize=True),
             lambda p: optim.NAdam(p, lr=0.02), lambda p: optim.NAdam(p, weight_decay=0.1, decoupled_weight_decay=True),
             lambda p: optim.RAdam(p, lr=0.02), lambda p: optim.RAdam(p, betas=(0.8, 0.9), weight_decay=0.1)):
    train(make)
again = train(lambda p: optim.RAdam(p), steps=1)
other = optim.RAdam(again.param_groups)
other.load_state_dict(again.state_dict())
print(len(other.state), other.param_groups[1]["lr"])

model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
torch.manual_seed(1)
for layer in model:
    if isinstance(layer, nn.Linear):
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
optimizer = optim.Adadelta(model.parameters(), lr=1.0)
schedule = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
data = torch.randn(16, 2)
for epoch in range(3):
    loss = nn.functional.mse_loss(model(data), data.sum(1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    print(f"{loss.item():.4f} {schedule.get_last_lr()[0]:.3f}")

one = [torch.ones(1, requires_grad=True)]
attempt("lr", lambda: optim.Adadelta(one, lr=-1.0))
attempt("rho", lambda: optim.Adadelta(one, rho=2.0))
attempt("betas", lambda: optim.Adamax(one, betas=(1.0, 0.9)))
attempt("eps", lambda: optim.NAdam(one, eps=-1.0))
attempt("momentum decay", lambda: optim.NAdam(one, momentum_decay=-1.0))
attempt("weight decay", lambda: optim.RAdam(one, weight_decay=-1.0))

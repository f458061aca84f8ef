# A whole training step is one graph from its very first call, which makes the optimiser's state;
# the second call finds that state, and is one graph as well.
import torch
from torch import nn

x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = x.sum(dim=1, keepdim=True)


def train(optimizer_of, compiled):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = optimizer_of(model.parameters())

    def step(x, y):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    run = torch.compile(step) if compiled else step
    losses = [run(x, y) for _ in range(5)]
    optimizer.state.clear()  # and from the beginning
    losses += [run(x, y) for _ in range(3)]
    state = optimizer.state_dict()["state"]
    kept = [list(each) for each in state.values()]
    return [loss.item() for loss in losses], list(model.parameters()), kept


for name, optimizer_of in {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.01),
    "amsgrad": lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=0.01),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=0.01),
    "Adagrad": lambda p: torch.optim.Adagrad(p, lr=0.01),
}.items():
    eager, parameters, kept = train(optimizer_of, False)
    compiled, others, state = train(optimizer_of, True)
    close = all(torch.allclose(a, b, atol=1e-5) for a, b in zip(parameters, others))
    print(name, torch.allclose(torch.tensor(eager), torch.tensor(compiled), atol=1e-5), close,
          kept == state)

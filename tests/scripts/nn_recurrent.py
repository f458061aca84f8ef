# tolerance: 1e-4
# Recurrent modules, forward and backward, from PyTorch's own initial values.
import torch
from torch import nn


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def show(module, x, state=None):
    print(module)
    x = x.clone().requires_grad_()
    result, last = module(x) if state is None else module(x, state)
    print(result.detach(), last[0].detach())
    parts = last if isinstance(last, tuple) else (last,)
    loss = (result * torch.arange(1.0, result.numel() + 1).reshape(result.shape)).sum()
    for part in parts:
        loss = loss + (part * part).sum()
    loss.backward()
    print(x.grad)
    for name, parameter in module.named_parameters():
        print(name, tuple(parameter.shape), parameter.grad.sum())


torch.manual_seed(5)
x = torch.randn(3, 2, 2)
show(nn.RNN(2, 3), x)
show(nn.RNN(2, 3, 2, nonlinearity="relu", bias=False), x, torch.randn(2, 2, 3))
show(nn.LSTM(2, 3), x)
show(nn.LSTM(2, 2, 2, bidirectional=True, batch_first=True), x)
show(nn.LSTM(2, 3), x, (torch.randn(1, 2, 3), torch.randn(1, 2, 3)))
show(nn.GRU(2, 3, batch_first=True), x)
show(nn.GRU(2, 2, 2, bidirectional=True), x, torch.randn(4, 2, 2))
show(nn.GRU(2, 3), torch.randn(4, 2))
show(nn.LSTM(2, 3), torch.randn(4, 2), (torch.randn(1, 3), torch.randn(1, 3)))
show(nn.RNN(2, 2, dropout=0.4, num_layers=2).eval(), x)

for cell in (nn.RNNCell(2, 3), nn.RNNCell(2, 3, nonlinearity="relu", bias=False), nn.GRUCell(2, 3)):
    state = None
    for place in x:
        state = cell(place, state)
    print(cell, state)
    state.sum().backward()
    print([parameter.grad.sum() for parameter in cell.parameters()])
cell = nn.LSTMCell(2, 3)
hidden, memory = cell(x[0])
hidden, memory = cell(x[1], (hidden, memory))
print(cell, hidden, memory)
print(cell(x[0, 0])[0].shape, nn.GRUCell(2, 3)(x[0, 0], torch.zeros(3)).shape)


class Counter(nn.Module):
    """A model that is trained: which of two numbers came more often."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(2, 4)
        self.lstm = nn.LSTM(4, 8, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, tokens):
        _, (hidden, _) = self.lstm(self.embedding(tokens))
        return self.head(hidden[-1])


model = Counter()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
tokens = torch.randint(0, 2, (16, 5))
target = (tokens.sum(1) > 2).long()
for step in range(20):
    loss = nn.functional.cross_entropy(model(tokens), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print(f"{loss.item():.3f}")
print(sorted(model.state_dict()))
print(len(nn.LSTM(2, 3, 2, bidirectional=True).all_weights), nn.GRU(2, 3, bias=False).all_weights[0][1].shape)

attempt("rank", lambda: nn.GRU(2, 3)(torch.ones(2)))
attempt("rank", lambda: nn.LSTM(2, 3)(torch.ones(2, 2, 2, 2)))
attempt("width", lambda: nn.RNN(2, 3)(torch.ones(2, 2, 3)))
attempt("state", lambda: nn.RNN(2, 3)(torch.ones(2, 2, 2), torch.ones(1, 1, 3)))
attempt("states", lambda: nn.LSTM(2, 3)(torch.ones(2, 2, 2), (torch.ones(1, 2, 3), torch.ones(1, 2, 4))))
attempt("state's rank", lambda: nn.RNN(2, 3)(torch.ones(2, 2, 2), torch.ones(1, 3)))
attempt("states' rank", lambda: nn.LSTM(2, 3)(torch.ones(2, 2), (torch.ones(1, 2, 3), torch.ones(1, 2, 3))))
attempt("nonlinearity", lambda: nn.RNN(2, 3, nonlinearity="sigmoid"))
attempt("layers", lambda: nn.GRU(2, 3, 0))
attempt("hidden", lambda: nn.GRU(2, 0))
attempt("projection", lambda: nn.LSTM(2, 3, proj_size=3))
attempt("dropout", lambda: nn.LSTM(2, 3, dropout=1.5))
attempt("cell's rank", lambda: nn.LSTMCell(2, 3)(torch.ones(1, 1, 2)))
attempt("cell's width", lambda: nn.GRUCell(2, 3)(torch.ones(1, 3)))

# tolerance: 1e-4
import torch
from torch import nn


def show(name, x):
    print(name, tuple(x.shape), [round(v, 4) for v in x.detach().flatten()[:6].tolist()])


def fill(module, seed):
    for parameter in module.parameters():
        values = torch.arange(parameter.numel(), dtype=torch.float64) * (seed + 1.7)
        parameter.data.copy_(values.sin().mul(0.4).reshape(parameter.shape))
    return module


def waves(*sizes, step=0.37):
    count = 1
    for size in sizes:
        count *= size
    return (torch.arange(count, dtype=torch.float64) * step).sin().float().reshape(sizes)


# Every form, forwards and back.
for number, options in enumerate([dict(), dict(bias=False), dict(batch_first=True), dict(num_layers=3),
                                  dict(bidirectional=True), dict(bidirectional=True, num_layers=2)]):
    lstm = fill(nn.LSTM(5, 19, **options), number)
    x = waves(7, 3, 5).requires_grad_()
    output, (hidden, cell) = lstm(x)
    show(f"{options} output", output)
    show("  hidden", hidden)
    show("  cell", cell)
    (output.square().sum() + (hidden * 2).sum() + cell.cos().sum()).backward()
    show("  input's", x.grad)
    for name, parameter in lstm.named_parameters():
        show("  " + name, parameter.grad)

# A state that is given, and gradients of it; only the last state is used.
lstm = fill(nn.LSTM(4, 6), 3)
h0, c0 = waves(1, 2, 6).requires_grad_(), waves(1, 2, 6, step=0.7).requires_grad_()
output, (hidden, cell) = lstm(waves(5, 2, 4), (h0, c0))
hidden.sum().backward()
show("h0", h0.grad)
show("c0", c0.grad)
print(type(output.grad_fn).__name__, type(hidden.grad_fn).__name__, type(cell.grad_fn).__name__)

# Sequences without a batch, one place, a batch of one.
show("unbatched", lstm(waves(5, 4))[0])
show("one place", lstm(waves(1, 2, 4))[0])
show("one row", lstm(waves(9, 1, 4))[1][1])
print(lstm(torch.zeros(5, 0, 4))[0].shape)

# The input need not lie in one piece.
show("turned", lstm(waves(2, 5, 4).transpose(0, 1))[0])
show("a part", lstm(waves(5, 2, 9)[:, :, 2:6])[0])

# Derivatives of derivatives.
x = waves(4, 2, 4).requires_grad_()
value = lstm(x)[0].square().sum()
first, = torch.autograd.grad(value, x, create_graph=True)
show("first", first)
penalty = first.square().sum()
second, = torch.autograd.grad(penalty, x, retain_graph=True)
show("second", second)
lstm.zero_grad()
penalty.backward()
for name, parameter in lstm.named_parameters():
    show("  " + name, parameter.grad)

# The two biases do not share their gradients' memory.
lstm.zero_grad()
lstm(waves(5, 2, 4))[0].sum().backward()
lstm.bias_ih_l0.grad.mul_(0)
show("bias_hh", lstm.bias_hh_l0.grad)

# Without gradients; in float64; frozen weights.
with torch.no_grad():
    show("no_grad", lstm(waves(5, 2, 4))[0])
show("double", fill(nn.LSTM(4, 6).double(), 3)(waves(5, 2, 4).double())[0])
for parameter in lstm.parameters():
    parameter.requires_grad_(False)
x = waves(5, 2, 4).requires_grad_()
lstm(x)[0].sum().backward()
show("frozen", x.grad)


# Compiled, sequences of several lengths and batches.
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(torch.relu(self.lstm(x)[0])).log_softmax(-1)


model = fill(Tagger(), 5)
compiled = torch.compile(model)
for batch, places in ((2, 6), (2, 9), (3, 9), (1, 4), (2, 12)):
    model.zero_grad()
    x = waves(batch, places, 4).requires_grad_()
    compiled(x).mean().backward()
    got = [x.grad.clone(), model.lstm.weight_hh_l1.grad.clone(), model.head.bias.grad.clone()]
    model.zero_grad()
    x.grad = None
    loss = model(x).mean()
    loss.backward()
    wanted = [x.grad, model.lstm.weight_hh_l1.grad, model.head.bias.grad]
    print(batch, places, round(loss.item(), 4),
          all(torch.allclose(a, b, atol=1e-5) for a, b in zip(got, wanted)))

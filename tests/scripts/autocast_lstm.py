# tolerance: 0.03
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence


def filled(module):
    with torch.no_grad():
        for i, weight in enumerate(module.parameters()):
            weight.copy_(torch.linspace(-1, 1, weight.numel()).reshape(weight.shape) * (0.5 - 0.05 * i))
    return module


def show(name, results):
    parts = [results[0], *(results[1] if isinstance(results[1], tuple) else [results[1]])]
    print(name, [(part.dtype, round(part.float().sum().item(), 2)) for part in parts])


x = torch.linspace(-1, 1, 24).reshape(4, 2, 3)
states = torch.full((1, 2, 5), 0.5), torch.full((1, 2, 5), -0.5)
lstm = filled(nn.LSTM(3, 5))
for enabled in (True, False):
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
        show("lstm", lstm(x))
        show("states", lstm(x, states))
        show("16 bits", lstm(x.bfloat16()) if enabled else lstm(x))
        show("layers", filled(nn.LSTM(3, 5, 2, bidirectional=True))(x))
        show("no bias", filled(nn.LSTM(3, 5, bias=False, batch_first=True))(x))
        show("unbatched", lstm(x[:, 0]))
        show("gru", filled(nn.GRU(3, 5))(x))
        show("cell", filled(nn.LSTMCell(3, 5))(x[0]))
        packed, after = lstm(pack_sequence([x[:, 0], x[:2, 1]]))
        show("packed", (packed.data, after))
        with torch.no_grad():
            show("no gradient", lstm(x))

given = x.clone().requires_grad_()
with torch.autocast("cpu", dtype=torch.bfloat16):
    output, (hidden, cell) = lstm(given)
    loss = output.float().square().sum() + cell.float().sum()
loss.backward()
print(loss.dtype, given.grad.dtype, round(given.grad.sum().item(), 2))
print([(weight.grad.dtype, round(weight.grad.sum().item(), 1)) for weight in lstm.parameters()])

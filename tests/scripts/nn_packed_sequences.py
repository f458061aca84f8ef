# tolerance: 1e-4
# Packed sequences: made and unmade, through recurrent modules of all kinds and directions, and their gradients.
import torch
import torch.nn.utils.rnn as rnn_utils
from torch import nn
from torch.nn.utils.rnn import (
    PackedSequence, pack_padded_sequence, pack_sequence, pad_packed_sequence, unpack_sequence, unpad_sequence)


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


x = torch.arange(24.0).reshape(2, 4, 3)
packed = pack_padded_sequence(x, [4, 2], batch_first=True)
print(packed)
print(packed.data.shape, packed.batch_sizes, packed.sorted_indices, isinstance(packed, tuple), len(packed))
print(pad_packed_sequence(packed))
packed = pack_padded_sequence(x, torch.tensor([2, 4]), batch_first=True, enforce_sorted=False)
print(packed)
print(pad_packed_sequence(packed, batch_first=True, padding_value=-1, total_length=5))
print(pack_padded_sequence(x, [2, 2, 2, 1]).data.shape, pack_padded_sequence(x.transpose(0, 1), [3, 3]).batch_sizes)
told(lambda: pack_padded_sequence(x, [2, 4], batch_first=True))
told(lambda: pack_padded_sequence(x, [4, 0], batch_first=True))
told(lambda: pack_padded_sequence(x, [4], batch_first=True))
told(lambda: pad_packed_sequence(packed, total_length=2))
told(lambda: pack_sequence([torch.ones(2), torch.ones(3)]))
print(pack_sequence([torch.ones(3, 2), torch.ones(1, 2) * 2]), pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]))
other = pack_sequence([torch.ones(1, 2), torch.ones(3, 2) * 2], enforce_sorted=False)
print(other)
print(unpack_sequence(other), unpad_sequence(x, torch.tensor([2, 4]), batch_first=True))
print(other.is_cuda, other.to(torch.float64).data.dtype, other.double().data.dtype, other.cpu() is other, other.is_pinned())
print(other.to("cpu") is other, other.half().data.dtype, other.int().data.dtype, rnn_utils.invert_permutation(torch.tensor([2, 0, 1])))
data, batch_sizes, order, order_back = other
print(batch_sizes, order, order_back)
print(PackedSequence(torch.ones(2, 3), torch.tensor([1, 1])))
told(lambda: PackedSequence(torch.ones(2, 3)))
told(lambda: pad_packed_sequence(x))

# Recurrent modules.
torch.manual_seed(0)
words = torch.randn(3, 5, 4)
for lengths, is_sorted in (([5, 3, 1], True), ([2, 5, 4], False), ([5, 5, 5], True), ([1, 1, 1], False)):
    for kind, more in ((nn.LSTM, {}), (nn.GRU, {"bidirectional": True}), (nn.RNN, {"num_layers": 2, "bidirectional": True}),
                       (nn.LSTM, {"num_layers": 2, "bidirectional": True, "proj_size": 2}), (nn.RNN, {"nonlinearity": "relu", "bias": False})):
        torch.manual_seed(1)
        model = kind(4, 3, **more)
        given = words.clone().requires_grad_()
        out, state = model(pack_padded_sequence(given, lengths, batch_first=True, enforce_sorted=is_sorted))
        padded, back = pad_packed_sequence(out, batch_first=True)
        last = state[0] if kind is nn.LSTM else state
        print(kind.__name__, more, padded.shape, back.tolist(), out.data.shape, last.shape)
        print(padded.sum(-1), last.sum(-1))
        (padded.square().sum() + last.sum()).backward()
        print(given.grad.sum(-1), model.weight_hh_l0.grad.abs().sum(), sum([p.grad.sum() for p in model.parameters()]))

# A first state is of the batch as it was given; one sequence gives what it gives alone.
model = nn.LSTM(4, 3, batch_first=True)
first = torch.randn(1, 3, 3), torch.randn(1, 3, 3)
lengths = torch.tensor([2, 5, 4])
with torch.no_grad():
    out, (h, c) = model(pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False), first)
    padded, _ = pad_packed_sequence(out, batch_first=True)
    for i, length in enumerate(lengths.tolist()):
        alone, (h1, c1) = model(words[i:i + 1, :length], (first[0][:, i:i + 1].contiguous(), first[1][:, i:i + 1].contiguous()))
        print(torch.allclose(alone[0], padded[i, :length], atol=1e-6), torch.allclose(h1[0, 0], h[0, i], atol=1e-6), torch.allclose(c1[0, 0], c[0, i], atol=1e-6))
out, h = nn.GRU(4, 3)(pack_padded_sequence(words.transpose(0, 1), [5, 5, 2]), torch.ones(1, 3, 3))
print(out.batch_sizes, h.shape)

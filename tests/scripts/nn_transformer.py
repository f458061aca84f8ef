# tolerance: 2e-4
# Attention and transformers, forward and backward, with masks, from PyTorch's own initial values.
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def gradients(module, loss):
    loss.backward()
    for name, parameter in module.named_parameters():
        print("  ", name, tuple(parameter.shape), parameter.grad.abs().sum())


torch.manual_seed(6)
x, memory = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
causal = nn.Transformer.generate_square_subsequent_mask(3)
padding = torch.zeros(2, 3)
padding[0, 2] = float("-inf")
print(causal)
attention = nn.MultiheadAttention(4, 2, batch_first=True)
print(attention)
print(attention(x, x, x))
print(attention(x, x, x, need_weights=False))
print(attention(x, memory, memory, average_attn_weights=False)[1].shape)
print(attention(x, memory, memory * 2)[0])
print(attention(x, x, x, attn_mask=causal, key_padding_mask=padding))
print(attention(x, x, x, attn_mask=causal, is_causal=True, need_weights=False)[0])
print(attention(x, x, x, attn_mask=torch.ones(4, 3, 3).tril() == 0, need_weights=False)[0])
result, weights = attention(x[0], x[0], x[0])
print(result.shape, weights.shape)
gradients(attention, (attention(x, memory, memory)[0] ** 2).sum())
other = nn.MultiheadAttention(4, 1, kdim=3, vdim=2, bias=False)
print(sorted(other.state_dict()), other(torch.ones(2, 1, 4), torch.ones(3, 1, 3), torch.ones(3, 1, 2))[0].shape)

for options in ({}, {"norm_first": True, "activation": "gelu"}, {"bias": False, "activation": F.silu}):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, **options)
    print(layer(x), layer(x, src_mask=causal, src_key_padding_mask=padding)[1])
    gradients(layer, (layer(x) * torch.arange(24.0).reshape(2, 3, 4)).sum())
decoder = nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
print(decoder)
print(decoder(x, memory, tgt_mask=causal))
print(nn.TransformerDecoderLayer(4, 2, 8, norm_first=True).eval()(x.transpose(0, 1), memory.transpose(0, 1)))
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2, nn.LayerNorm(4))
print(encoder.eval()(x, mask=causal))
print(nn.TransformerDecoder(decoder, 2)(x, memory).shape)
whole = nn.Transformer(4, 2, 1, 1, 8, dropout=0.0, batch_first=True)
print(whole(memory, x, tgt_mask=causal))
gradients(whole, (whole(memory, x) * torch.arange(24.0).reshape(2, 3, 4)).sum())

torch.manual_seed(7)
print(nn.MultiheadAttention(4, 2, dropout=0.5)(x, x, x)[1])

attempt("heads", lambda: nn.MultiheadAttention(4, 3))
attempt("width", lambda: attention(memory[..., :3], memory, memory))
attempt("mask", lambda: attention(x, x, x, attn_mask=causal[:2]))
attempt("causal", lambda: attention(x, x, x, is_causal=True))
attempt("activation", lambda: nn.TransformerEncoderLayer(4, 2, activation="tanh"))
attempt("batch", lambda: whole(memory[:1], x))
attempt("features", lambda: whole(memory[..., :3], x))

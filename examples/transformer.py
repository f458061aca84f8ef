# tolerance: 1e-3
"""A tiny transformer learns to copy: it sees a sequence, a separator, and must write it again.

One block: attention over the past, a feed-forward layer, both behind a layer norm, with the usual
shortcuts around them. Everything is spelled out, so that each line can be looked at.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

SYMBOLS, LENGTH, WIDTH = 8, 4, 32
SEPARATOR = SYMBOLS
TOTAL = 2 * LENGTH + 1


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.projection = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x):
        batch, time, width = x.shape
        parts = self.projection(x).split(width, dim=2)
        query, key, value = [part.reshape(batch, time, self.heads, -1).transpose(1, 2)
                             for part in parts]
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        future = torch.ones(time, time).tril() == 0
        weights = F.softmax(scores.masked_fill(future, float("-inf")), dim=-1)
        return self.output((weights @ value).transpose(1, 2).reshape(batch, time, width))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.symbols = nn.Embedding(SYMBOLS + 1, WIDTH)
        self.places = nn.Embedding(TOTAL, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention(WIDTH, heads=2)
        self.feed = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.head = nn.Linear(WIDTH, SYMBOLS + 1)

    def forward(self, x):
        x = self.symbols(x) + self.places(torch.arange(x.shape[1]))
        x = x + self.attention(self.norm1(x))
        x = x + self.feed(self.norm2(x))
        return self.head(x)


def batch(count):
    sequence = torch.randint(0, SYMBOLS, (count, LENGTH))
    return torch.cat([sequence, torch.full((count, 1), SEPARATOR), sequence], dim=1)


torch.manual_seed(0)
model = Transformer()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for step in range(120):
    data = batch(32)
    logits = model(data[:, :-1])[:, LENGTH:]
    loss = F.cross_entropy(logits.reshape(-1, SYMBOLS + 1), data[:, LENGTH + 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"step {step:3}: loss {loss.item():.2f}")

data = batch(64)
guesses = model(data[:, :-1])[:, LENGTH:].argmax(dim=-1)
print(f"copied rightly: {(guesses == data[:, LENGTH + 1:]).float().mean().item():.1f}")

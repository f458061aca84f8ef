"""The first steps of small networks, as people write them: what compiling costs who tries one out.

Each case runs a few training steps, and `generate` a text that grows until it is cropped, eagerly and
compiled. Nothing is compiled when it begins (`compare` gives it an empty cache folder), so the
compiled figure is nearly all compiling; it grows with every compile that a better guard would spare.
"""

import time

import torch
import torch.nn.functional as F
from timing import report
from torch import nn

torch.manual_seed(0)
CONTEXT = 8


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x):
        b, t, c = x.shape
        parts = self.attention(self.first(x)).split(c, dim=2)
        q, k, v = (p.view(b, t, self.heads, c // self.heads).transpose(1, 2) for p in parts)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(seen.transpose(1, 2).contiguous().view(b, t, c))
        return x + self.feed(self.second(x))


class Gpt(nn.Module):
    def __init__(self, words=23, width=32):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(CONTEXT, width)
        self.blocks = nn.Sequential(Block(width, 4), Block(width, 4))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(x)))


def perceptron():
    return nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))


def convolutional():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * 49, 10),
    )  # fmt: skip


def train(network, run, batches):
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    for inputs, targets in batches:
        loss = F.cross_entropy(run(inputs).flatten(0, -2), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def generate(network, run, rows):
    for count in rows:
        tokens = torch.ones(count, 1, dtype=torch.long)
        for _ in range(3 * CONTEXT):
            logits = run(tokens[:, -CONTEXT:])[:, -1]
            tokens = torch.cat((tokens, logits.argmax(-1, keepdim=True)), dim=1)


def batches(inputs, classes, places=()):
    """Four whole batches and a rest, as a data set gives them."""
    return [(inputs(n), torch.randint(classes, (n, *places))) for n in (16, 16, 16, 16, 7)]


CASES = {
    "mlp": (perceptron, train, batches(lambda n: torch.randn(n, 20), 5)),
    "cnn": (convolutional, train, batches(lambda n: torch.randn(n, 1, 28, 28), 10)),
    "gpt": (Gpt, train, batches(lambda n: torch.randint(23, (n, CONTEXT)), 23, (CONTEXT,))),
    "generate": (Gpt, generate, (1, 3)),
}
for case, (make, work, data) in CASES.items():
    for column in ("eager", "compiled"):
        network = make()
        run = torch.compile(network) if column == "compiled" else network
        start = time.perf_counter()
        work(network, run, data)
        report(case, column, (time.perf_counter() - start) * 1e3, "ms")

# tolerance: 1e-4
"""A language model of characters: an embedding, two layers, cross-entropy; then it writes.

It sees six characters and guesses the next. The text is small enough to learn nearly by heart.
"""
import torch
import torch.nn.functional as F
from torch import nn

TEXT = "the cat sat on the mat. the dog sat on the log. the dog saw a cat. " * 3
CONTEXT = 6

letters = sorted(set(TEXT))
number_of = {letter: number for number, letter in enumerate(letters)}
codes = torch.tensor([number_of[letter] for letter in TEXT])
contexts = torch.stack([codes[i:len(codes) - CONTEXT + i] for i in range(CONTEXT)], dim=1)
targets = codes[CONTEXT:]


class Model(nn.Module):
    def __init__(self, letters, width, hidden):
        super().__init__()
        self.embedding = nn.Embedding(letters, width)
        self.hidden = nn.Linear(CONTEXT * width, hidden)
        self.output = nn.Linear(hidden, letters)

    def forward(self, contexts):
        x = self.embedding(contexts).flatten(1)
        return self.output(F.gelu(self.hidden(x)))


torch.manual_seed(0)
model = Model(len(letters), 8, 64)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for step in range(60):
    logits = model(contexts)
    loss = F.cross_entropy(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(f"step {step:2}: loss {loss.item():.3f}")

written = "the dog"
with torch.no_grad():
    for _ in range(60):
        last = torch.tensor([[number_of[letter] for letter in written[-CONTEXT:]]])
        written += letters[model(last).argmax().item()]
print(written)

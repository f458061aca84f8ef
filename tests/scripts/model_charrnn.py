# tolerance: 1e-3
# A model as people write it: it trains, and prints the same.
import torch, torch.nn as nn, math
torch.manual_seed(1)
text = "hello world, hello torch. " * 4
chars = sorted(set(text)); stoi = {c: i for i, c in enumerate(chars)}; itos = {i: c for c, i in stoi.items()}
data = torch.tensor([stoi[c] for c in text], dtype=torch.long)
class CharRNN(nn.Module):
    def __init__(self, vocab, hidden=16, layers=2):
        super().__init__()
        self.hidden_size, self.num_layers = hidden, layers
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, layers, batch_first=True, dropout=0.1)
        self.fc = nn.Linear(hidden, vocab)
    def forward(self, x, h=None):
        out, h = self.rnn(self.embed(x), h)
        return self.fc(out), h
    def init_hidden(self, batch): return torch.zeros(self.num_layers, batch, self.hidden_size)
model = CharRNN(len(chars)); print(model)
opt = torch.optim.AdamW(model.parameters(), lr=1e-2); loss_fn = nn.CrossEntropyLoss()
for it in range(15):
    ix = torch.randint(len(data) - 9, (4,))
    x = torch.stack([data[i:i+8] for i in ix]); y = torch.stack([data[i+1:i+9] for i in ix])
    logits, h = model(x, model.init_hidden(4))
    loss = loss_fn(logits.reshape(-1, len(chars)), y.reshape(-1))
    opt.zero_grad(set_to_none=True); loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5); opt.step()
    if it % 5 == 4: print(it, f"{loss.item():.3f}", f"ppl {math.exp(loss.item()):.2f}")
model.eval()
with torch.no_grad():
    idx = torch.tensor([[stoi['h']]]); h = None; out = ['h']
    for _ in range(20):
        logits, h = model(idx, h)
        p = torch.softmax(logits[:, -1], dim=-1)
        idx = p.argmax(-1, keepdim=True); out.append(itos[idx.item()])
print(''.join(out))

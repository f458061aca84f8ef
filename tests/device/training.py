# A model trained on a device, eagerly and compiled: the same losses.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 8)
        self.hidden = nn.Linear(8, 16)
        self.norm = nn.LayerNorm(16)
        self.out = nn.Linear(16, 4)

    def forward(self, tokens):
        x = self.embedding(tokens).mean(dim=1)
        x = torch.relu(self.norm(self.hidden(x)))
        return self.out(x)


def train(compiled):
    torch.manual_seed(0)
    model = Model().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    tokens = torch.randint(0, 10, (6, 5)).to(device)
    wanted = torch.tensor([0, 1, 2, 3, 0, 1], device=device)

    def step(tokens, wanted):
        loss = nn.functional.cross_entropy(model(tokens), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    if compiled:
        step = torch.compile(step)
    losses = [f"{step(tokens, wanted).item():.4f}" for _ in range(4)]
    print(losses, model.out.weight.device.type == device.type, model.out.weight.grad.shape)


train(False)
train(True)

# Checkpoints go both ways: each of PyTorch and Glint reads what the other one wrote.
import os

import torch
from torch import nn

for writer in ("pytorch", "glint"):
    here = os.path.dirname(os.path.abspath(__file__))
    saved = torch.load(os.path.join(here, "data", f"saved_by_{writer}.pt"))
    for name, value in saved.items():
        print(name, value)
    saved["turned"][0, 0] = 100
    print(saved["x"])
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(model.load_state_dict(saved["model"]))
    optimizer.load_state_dict(saved["optimizer"])
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    print(model.state_dict(), optimizer.state_dict())

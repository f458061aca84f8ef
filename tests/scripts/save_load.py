# torch.save and torch.load: what was saved comes again, with the memory that its tensors share.
import os
from collections import OrderedDict

import torch
from torch import nn

folder = f"/tmp/glint-save-load-{os.getpid()}"
os.mkdir(folder)
path = os.path.join(folder, "saved.pt")


def again(value):
    torch.save(value, path)
    return torch.load(path)


# Every kind of value.
print(again([None, True, False, 0, 255, 256, -1, 2 ** 31, -2 ** 31 - 1, 2 ** 62, 1.5, -0.0, float("inf")]))
print(again(("é\n", "", b"xy\xff", (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], {}, set(), {3})))
print(again({"size": torch.Size([2, 3]), "device": torch.device("cpu"), "dtype": torch.float32, 1: {2: 3}}))
print(again(OrderedDict(b=1, a=2)))
for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32,
              torch.int16, torch.int8, torch.uint8, torch.bool):
    print(again(torch.tensor([0, 1, 2]).to(dtype)))
print(again(torch.tensor(5.0)), again(torch.empty(0, 3)), again(torch.ones(2, 3, 4)[1, :, 1:3]))
print(again(torch.arange(6).reshape(2, 3).t()), again(torch.ones(1).expand(3)).stride())

# What is shared stays shared, once each.
x = torch.arange(6.0).reshape(2, 3)
saved = again({"x": x, "row": x[1], "turned": x.t(), "again": x})
saved["row"][0] = 100
print(saved["x"], saved["turned"], saved["again"] is saved["x"], saved["row"].storage_offset())
print(saved["row"]._is_view(), saved["row"].is_leaf)
loop = [1]
loop.append(loop)
looped = again(loop)
print(looped[1] is looped, len(looped))

# Gradients: leaves as they were; of a result its value.
w = torch.ones(2, requires_grad=True)
print(again(w), again(w * 2).is_leaf, again(nn.Parameter(torch.ones(2), requires_grad=False)))
weight = again(w)
(weight * 3).sum().backward()
print(weight.grad)


# A training run that goes on where another one stopped.
def model_and_optimizer():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
    return model, torch.optim.Adam(model.parameters(), lr=0.05)


def train(model, optimizer, steps):
    for step in range(steps):
        torch.manual_seed(step)
        loss = model(torch.randn(8, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


model, optimizer = model_and_optimizer()
loss = train(model, optimizer, 5)
torch.save({"epoch": 5, "model_state_dict": model.state_dict(), "optimizer_state_dict": optimizer.state_dict(),
            "loss": loss}, path)
other, other_optimizer = model_and_optimizer()
checkpoint = torch.load(path, map_location=torch.device("cpu"), weights_only=True)
print(other.load_state_dict(checkpoint["model_state_dict"]), checkpoint["epoch"], checkpoint["loss"] == loss)
other_optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
print(train(model, optimizer, 3) == train(other, other_optimizer, 3))
print(sorted(checkpoint), list(checkpoint["model_state_dict"])[:3])

# Open files, and where tensors come to.
with open(path, "wb") as file:
    torch.save(x, file)
with open(path, "rb") as file:
    print(torch.load(file))
print(torch.load(path, map_location="cpu"), torch.load(path, lambda storage, location: storage).sum())
print(torch.load(path, {"cuda:0": "cpu"}).device, torch.load(path, map_location=None).device)


# A region ends where something is saved, and goes on behind it.
@torch.compile
def saves(x):
    y = x * 2
    torch.save(y, path)
    return torch.load(path) + y


print(saves(torch.ones(3)))


# An archive behind something else, where the file was begun before.
with open(path, "wb") as file:
    file.write(b"hello")
    torch.save(x, file)
with open(path, "rb") as file:
    print(file.read(5), torch.load(file))

# What cannot be.
def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0].replace(folder, "folder"))


told(lambda: torch.load(os.path.join(folder, "nothing.pt")))
told(lambda: torch.save(x, os.path.join(folder, "no", "x.pt")))
told(lambda: torch.save(x, None))
told(lambda: torch.load(folder))
open(path, "w").close()
told(lambda: torch.load(path))
os.remove(path)
os.rmdir(folder)

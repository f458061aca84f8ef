# Whole modules, objects of a script's classes and whatever else pickle takes, in checkpoints: `weights_only=False`.
import argparse
import io
import pickle
from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(nn.Linear(2, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.25))
        self.shared = self.layers[0]
        self.heads = nn.ModuleDict({"a": nn.Linear(width, 1, bias=False)})
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("seen", torch.zeros(1), persistent=False)
        self.register_buffer("kept", torch.arange(2))
        self.missing = None

    def forward(self, x):
        return self.heads["a"](self.layers(x)) * self.scale


@dataclass
class Config:
    width: int = 3
    names: tuple = ("a", "b")


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


def again(value):
    return torch.load(saved(value), weights_only=False)


torch.manual_seed(0)
net = Net()
x = torch.randn(4, 2)
net(x)
net.eval()
other = again(net)
print(other)
print(torch.equal(net(x), other(x)), other.training, other.width, other.shared is other.layers[0], other.missing)
print(list(other.state_dict()) == list(net.state_dict()), other.seen, other.kept, len(list(other.parameters())))
print([p.requires_grad for p in other.parameters()], other.scale.is_leaf, other.scale is not net.scale)
other.train()
loss = other(x).square().mean()
loss.backward()
print(other.scale.grad is not None, net.scale.grad, sorted(name for name, _ in other.named_buffers()))
torch.optim.SGD(other.parameters(), lr=0.1).step()
print(torch.equal(net.scale, other.scale), other.to(torch.float64).heads["a"].weight.dtype)

arguments = argparse.ArgumentParser()
arguments.add_argument("--lr", type=float, default=0.1)
checkpoint = {"args": arguments.parse_args([]), "config": Config(), "net": net.state_dict(), "step": 3, "seen": {1, 2},
              "counts": defaultdict(int, a=1), "shape": x.shape, "dtype": torch.float32, "device": torch.device("cpu"), "none": None,
              "row": x[1], "all": x, "text": b"\xff", "class": Config, "function": nn.functional.relu}
found = again(checkpoint)
print(found["args"], found["config"], list(found["net"])[:2], found["step"], found["seen"], found["counts"]["b"], found["shape"])
print(found["dtype"], found["device"], found["none"], found["text"], found["class"] is Config, torch.equal(found["row"], x[1]))
found["all"][1] = 7
print(found["row"])  # memory that was shared is shared again


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split("allowlist")[0])


# Without that, nothing that a file names is run, but what the script has added.
told(lambda: torch.load(saved(Config())))
told(lambda: torch.load(saved(net), weights_only=True))
with torch.serialization.safe_globals([Config]):
    print(torch.load(saved({"config": Config(5)})), Config in torch.serialization.get_safe_globals())
told(lambda: torch.load(saved(Config())))
torch.serialization.add_safe_globals([Config])
print(torch.load(saved(Config(6)), weights_only=True))
torch.serialization.clear_safe_globals()
told(lambda: torch.load(saved([Config])))
print(torch.load(saved(OrderedDict(a=x.sum() * 0))))

# Tensors in pickles: what shares memory in one is made of its own.
y = torch.arange(6.0).reshape(2, 3).t()
for value in (y, nn.Parameter(torch.ones(2)), torch.float16, torch.Size([1, 2]), torch.device("cpu"), torch.tensor([True]), y[1:, 0]):
    for protocol in (2, 4):
        back = pickle.loads(pickle.dumps(value, protocol))
        print(type(back) is type(value), back)
back = pickle.loads(pickle.dumps(y))
print(back.stride(), back.is_contiguous(), pickle.loads(pickle.dumps(net))(x).equal(net(x)))


class Local:
    def __getstate__(self):
        return {"inner": x.sum() * 0}


print(pickle.loads(pickle.dumps(Local())).inner)
told(lambda: torch.save(lambda: 0, io.BytesIO()))

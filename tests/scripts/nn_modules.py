# tolerance: 1e-5
# Modules: what they print, own, save and load; the layers by their numbers.
import copy
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


torch.manual_seed(0)
for module in (nn.Linear(3, 2), nn.Linear(3, 2, bias=False), nn.ReLU(), nn.ReLU(inplace=True), nn.Tanh(),
               nn.Sigmoid(), nn.GELU(), nn.GELU(approximate="tanh"), nn.LeakyReLU(0.2), nn.ELU(), nn.SELU(),
               nn.SiLU(), nn.Softplus(), nn.Softmax(dim=1), nn.LogSoftmax(dim=-1), nn.Dropout(0.3),
               nn.Embedding(5, 3), nn.Embedding(5, 3, padding_idx=0), nn.LayerNorm(4), nn.Flatten(),
               nn.Identity(), nn.MSELoss(), nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss(), nn.L1Loss(),
               nn.BatchNorm1d(4), nn.Bilinear(2, 3, 4), nn.Unflatten(1, (2, 2)), nn.RMSNorm(4),
               nn.Hardtanh(), nn.ReLU6(), nn.Mish(), nn.HuberLoss(), nn.SmoothL1Loss(), nn.NLLLoss(),
               nn.KLDivLoss(), nn.PReLU(), nn.Softmin(dim=0), nn.Threshold(0.1, 20), nn.CosineSimilarity()):
    print(module)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
        self.scale = nn.Parameter(torch.ones(3))
        self.heads = nn.ModuleList([nn.Linear(3, 1) for _ in range(2)])
        self.table = nn.ModuleDict({"a": nn.Identity(), "b": nn.Tanh()})
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("cache", torch.ones(2), persistent=False)
        self.empty = None

    def forward(self, x):
        self.count += 1
        y = self.table["b"](self.body(x)) * self.scale
        return torch.cat([head(y) for head in self.heads], 1)


net = Net()
print(net)
print([(name, tuple(p.shape), p.requires_grad) for name, p in net.named_parameters()])
print([name for name, _ in net.named_buffers()], [name for name, _ in net.named_children()])
print([name for name, _ in net.named_modules()])
print(list(net.state_dict()), type(net.state_dict()).__name__)
print(sum(p.numel() for p in net.parameters()), net.training)
x = torch.randn(5, 4)
print(net.eval()(x), net.body[2].training)
print(net.train()(x))
print(net.count, net.body[0], net.body[-1], len(net.body), net.body[1:3])
loss = net(x).sum()
loss.backward()
print([p.grad is not None for p in net.parameters()], net.scale.grad)
net.zero_grad()
print([p.grad is None for p in net.parameters()])
net(x).sum().backward()
net.zero_grad(set_to_none=False)
print(net.scale.grad)
other = Net()
print(other.load_state_dict(net.state_dict()))
print(torch.equal(other.eval()(x), net.eval()(x)))
twin = copy.deepcopy(net)
with torch.no_grad():
    twin.scale.mul_(2)
print(net.scale, twin.scale, twin.scale.requires_grad)
state = net.state_dict()
del state["scale"]
state["more"] = torch.ones(1)
attempt("keys", lambda: other.load_state_dict(state))
print(other.load_state_dict(state, strict=False))
state["scale"] = torch.ones(4)
del state["more"]
attempt("size", lambda: other.load_state_dict(state))
attempt("input size", lambda: net(torch.randn(5, 3)))
attempt("no attribute", lambda: net.missing)
attempt("assign", lambda: setattr(net, "scale", torch.ones(3)))
attempt("forward", lambda: nn.Module()(1))
attempt("train", lambda: net.train("yes"))


class Early(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


attempt("early", Early)
print(net.double().scale.dtype, net.body[0].weight.dtype, net.count.dtype, net.to(torch.float32).scale.dtype)


def init(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.5)
        nn.init.zeros_(module.bias)


print(net.apply(init) is net, net.body[0].weight[0], net.body[3].bias)
for p in net.body.parameters():
    p.requires_grad_(False)
print([p.requires_grad for p in net.parameters()])
print(net.requires_grad_(True).scale.requires_grad)
handle = net.body.register_forward_hook(lambda module, args, output: print("ran", type(module).__name__, output.shape))
net.eval()(x)
handle.remove()
net(x)
print(net.get_submodule("body.0") is net.body[0], net.get_parameter("heads.1.bias").shape, hasattr(net, "cache"))
net.add_module("extra", nn.ReLU())
print(net.extra, "extra" in dict(net.named_children()))
seq = nn.Sequential()
seq.append(nn.Linear(2, 2))
seq.add_module("act", nn.ReLU())
print(seq, [type(m).__name__ for m in seq])
print(nn.Parameter(torch.ones(2)), isinstance(net.scale, torch.Tensor), isinstance(net.scale, nn.Parameter),
      nn.Parameter(torch.ones(2), requires_grad=False))
print(nn.ParameterList([torch.ones(2), torch.zeros(1)]), nn.ParameterDict({"a": torch.ones(1)}))

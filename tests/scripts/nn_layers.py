# tolerance: 1e-4
# Layers and losses by their numbers, forward and backward, from PyTorch's own initial values.
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def show(name, module, x, training=True):
    module.train(training)
    x = x.clone().requires_grad_(x.is_floating_point())
    y = module(x)
    print(name, y.detach())
    (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
    print("  ", x.grad, [p.grad for p in module.parameters()])


torch.manual_seed(1)
x = torch.randn(4, 3)
i = torch.tensor([[1, 0, 3], [0, 2, 1]])
show("linear", nn.Linear(3, 2), x)
show("embedding", nn.Embedding(4, 2), i)
show("padding", nn.Embedding(4, 2, padding_idx=0), i)
show("layer norm", nn.LayerNorm(3), x)
batch = nn.BatchNorm1d(3)
show("batch norm", batch, x)
show("batch norm again", batch, x * 2 + 1)
show("batch norm eval", batch, x, training=False)
print(batch.state_dict())
show("batch norm 3d", nn.BatchNorm1d(2, affine=False), torch.randn(2, 2, 3))
for module in (nn.ELU(), nn.SELU(), nn.CELU(), nn.LeakyReLU(), nn.Softplus(), nn.SiLU(), nn.Mish(), nn.Hardtanh(),
               nn.ReLU6(), nn.Hardsigmoid(), nn.Hardswish(), nn.Softsign(), nn.LogSigmoid(), nn.Tanhshrink(),
               nn.Softmin(dim=1), nn.GLU() if False else nn.Identity(), nn.PReLU(), nn.RMSNorm(3)):
    show(type(module).__name__, module, x)
drop = nn.Dropout(0.5)
print(drop(torch.ones(8)), drop.eval()(torch.ones(3)))
print(nn.ReLU(inplace=True)(x.clone()))

logits = torch.randn(4, 3, requires_grad=True)
target = torch.tensor([0, 2, 1, 2])


def loss(name, value):
    print(name, value.detach(), torch.autograd.grad(value.sum(), logits)[0] + 0.0)


loss("cross_entropy", F.cross_entropy(logits, target))
loss("weight", F.cross_entropy(logits, target, weight=torch.tensor([1.0, 2.0, 0.5])))
loss("ignore", F.cross_entropy(logits, torch.tensor([0, -100, 1, 2])))
loss("ignore 2", nn.CrossEntropyLoss(ignore_index=2)(logits, target))
loss("smoothing", F.cross_entropy(logits, target, label_smoothing=0.1))
loss("smoothing, weight", nn.CrossEntropyLoss(torch.tensor([1.0, 2.0, 0.5]), label_smoothing=0.1)(logits, target))
loss("sum", F.cross_entropy(logits, target, reduction="sum"))
loss("none", F.cross_entropy(logits, target, reduction="none"))
loss("probabilities", F.cross_entropy(logits, torch.softmax(x, 1)))
loss("probabilities, smoothing", F.cross_entropy(logits, torch.softmax(x, 1), label_smoothing=0.2))
loss("probabilities, weight", F.cross_entropy(logits, torch.softmax(x, 1), weight=torch.tensor([1.0, 2.0, 0.5])))
loss("3d", F.cross_entropy(logits.reshape(2, 3, 2), torch.tensor([[0, 1], [2, 1]])))
loss("1d", F.cross_entropy(logits[0], torch.tensor(1)))
loss("nll", F.nll_loss(F.log_softmax(logits, 1), target, weight=torch.tensor([1.0, 2.0, 0.5])))
loss("nll ignore", nn.NLLLoss(ignore_index=0)(F.log_softmax(logits, 1), target))
loss("bce", F.binary_cross_entropy(logits.sigmoid(), (x > 0).float()))
loss("bce logits", nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0]))(logits, (x > 0).float()))
loss("mse", F.mse_loss(logits, x, reduction="sum"))
loss("l1", F.l1_loss(logits, x))
loss("smooth l1", F.smooth_l1_loss(logits, x, beta=0.5))
loss("huber", F.huber_loss(logits, x, delta=0.5))
loss("kl", F.kl_div(F.log_softmax(logits, 1), torch.softmax(x, 1), reduction="batchmean"))
loss("hinge", F.relu(1 - logits).mean())
loss("cosine", 1 - F.cosine_similarity(logits, x))
loss("margin", F.margin_ranking_loss(logits[:, 0], logits[:, 1], torch.tensor([1.0, -1.0, 1.0, 1.0])))
loss("poisson", F.poisson_nll_loss(logits, x.abs()))
attempt("target size", lambda: F.cross_entropy(logits, target[:3]))
attempt("target range", lambda: F.cross_entropy(logits, target + 2))
attempt("reduction", lambda: F.mse_loss(logits, x, reduction="avg"))
attempt("embedding range", lambda: F.embedding(torch.tensor([9]), x))
attempt("dropout", lambda: nn.Dropout(1.5))
attempt("batch norm size", lambda: nn.BatchNorm1d(4)(x))
attempt("batch norm one", lambda: nn.BatchNorm1d(3)(x[:1]))

torch.manual_seed(2)
w = torch.empty(3, 4)
print(nn.init.uniform_(w), nn.init.normal_(w, 1.0, 0.1), nn.init.xavier_uniform_(w), nn.init.xavier_normal_(w))
print(nn.init.kaiming_uniform_(w, nonlinearity="relu"), nn.init.kaiming_normal_(w, mode="fan_out"), nn.init.ones_(w))
print(nn.init.eye_(w), nn.init.constant_(w, 3.0))
attempt("fans", lambda: nn.init.xavier_uniform_(torch.empty(3)))

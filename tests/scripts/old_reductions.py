# Losses by the names of before PyTorch 1.0; what `softmax` needs; `split` by its own name.
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("always")
torch.manual_seed(0)
x, y = torch.randn(3, 4).softmax(1), torch.rand(3, 4)
classes = torch.tensor([0, 3, 1])
weight = torch.tensor([1.0, 2.0, 0.5, 1.0])
calls = {
    "mse": lambda **how: F.mse_loss(x, y, **how),
    "l1": lambda **how: F.l1_loss(x, y, **how),
    "smooth": lambda **how: F.smooth_l1_loss(x, y, beta=0.5, **how),
    "bce": lambda **how: F.binary_cross_entropy(x, y, weight, **how),
    "logits": lambda **how: F.binary_cross_entropy_with_logits(x, y, pos_weight=weight, **how),
    "nll": lambda **how: F.nll_loss(x.log(), classes, weight, ignore_index=1, **how),
    "entropy": lambda **how: F.cross_entropy(x, classes, label_smoothing=0.1, **how),
    "kl": lambda **how: F.kl_div(x.log(), y, **how),
    "margin": lambda **how: F.soft_margin_loss(x, y, **how),
    "triplet": lambda **how: F.triplet_margin_loss(x, y, y + 1, **how),
    "multi": lambda **how: F.multilabel_margin_loss(x, classes.reshape(3, 1).expand(3, 4), **how),
}
for how in ({"size_average": False}, {"reduce": False}, {"size_average": True}, {"reduce": True, "size_average": 0}):
    with warnings.catch_warnings(record=True) as caught:
        for name, call in calls.items():
            result = call(**how)
            print(name, how, tuple(result.shape), f"{result.sum().item():.4f}")
    print(len(caught), caught[0].category.__name__, caught[0].message)

# The third and fourth arguments by position are the old ones.
with warnings.catch_warnings(record=True) as caught:
    print(F.mse_loss(x, y, False), F.l1_loss(x, y, "sum"), F.nll_loss(x.log(), classes, None, False))
    print(F.cross_entropy(x, classes, weight, None, 3), F.binary_cross_entropy(x, y, None, True, False).shape)
    print(F.nll_loss(x.log(), classes, weight, None, 3, None, "sum"))
print([str(each.message)[-40:] for each in caught])


def fails(call):
    try:
        print(call())
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__, error)


fails(lambda: torch.softmax(x))
fails(lambda: x.log_softmax())
fails(lambda: torch.arange(5).split(split_size=2))
fails(lambda: torch.arange(5).split(split_size=[1, 4], dim=0))
fails(lambda: torch.split(torch.arange(5), split_size=2))
for text in ("float32", "cuda:x", "cuda 1", "c-uda", ":1", "foo:1", "foo:x", "cuda0", "gpu", ""):
    fails(lambda: torch.ones(1).to(text))
for equation, *shapes in (("ij,jk", (2, 3), (2, 3)), ("ii", (2, 3)), ("...i,...i", (2, 3), (4, 3)),
                          ("ab,bc,cd", (2, 3), (1, 4), (5, 2)), ("ij,jk->ik", (2, 1), (3, 3))):
    fails(lambda: torch.einsum(equation, *[torch.ones(shape) for shape in shapes]).shape)

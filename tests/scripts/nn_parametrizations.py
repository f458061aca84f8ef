# tolerance: 1e-4
# Weights that are computed: parametrizations, weight and spectral norm by hooks, pruning, fused layers.
import copy
import warnings
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils import parametrizations, prune


warnings.simplefilter("ignore", FutureWarning)


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

    def right_inverse(self, A):
        return A.triu()


class Doubled(nn.Module):
    def forward(self, X):
        return 2 * X


torch.manual_seed(0)
layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
print(layer, type(layer).__name__)
print(layer.weight, torch.equal(layer.weight, layer.weight.T))
print(list(layer.state_dict()), [name for name, _ in layer.named_parameters()])
parametrize.register_parametrization(layer, "weight", Doubled())
print(layer.parametrizations.weight, layer.weight)
layer(torch.ones(2, 3)).sum().backward()
print(layer.parametrizations.weight.original.grad)
with parametrize.cached():
    print(layer.weight is layer.weight)
print(layer.weight is layer.weight, parametrize.is_parametrized(layer), parametrize.is_parametrized(layer, "bias"))
twin = copy.deepcopy(layer)
print(torch.equal(twin.weight, layer.weight), twin.parametrizations.weight.original is layer.parametrizations.weight.original)
parametrize.remove_parametrizations(layer, "weight")
print(layer, layer.weight, type(layer).__name__)
other = parametrize.register_parametrization(nn.Linear(3, 3), "weight", Symmetric())
other.weight = torch.arange(9.0).reshape(3, 3)
print(other.weight, other.parametrizations.weight.original)

torch.manual_seed(1)
x = torch.randn(4, 6)
normed = parametrizations.weight_norm(nn.Linear(6, 5))
print(normed, normed.parametrizations.weight.original0.shape, normed(x).sum())
normed(x).square().sum().backward()
print(normed.parametrizations.weight.original0.grad, normed.parametrizations.weight.original1.grad.sum())
print(parametrizations.weight_norm(nn.Conv2d(2, 3, 2), dim=None).weight.shape)
spectral = parametrizations.spectral_norm(nn.Linear(6, 5))
print(spectral, spectral(x).sum(), torch.linalg.matrix_norm(spectral.weight, 2) < 1.2, list(spectral.state_dict()))
conv = parametrizations.spectral_norm(nn.ConvTranspose2d(2, 3, 2))
print(conv.eval()(torch.ones(1, 2, 3, 3)).sum())
for orthogonal in (parametrizations.orthogonal(nn.Linear(4, 4)), parametrizations.orthogonal(nn.Linear(3, 5)),
                   parametrizations.orthogonal(nn.Linear(5, 3), orthogonal_map="cayley")):
    weight = orthogonal.weight
    product = weight @ weight.T if weight.size(0) < weight.size(1) else weight.T @ weight
    print(orthogonal, (product - torch.eye(len(product))).abs().max() < 1e-5, weight)
    weight.square().sum().backward()
    print(orthogonal.parametrizations.weight.original.grad.abs().max() < 1e-4)

# By hooks, as it once was.
torch.manual_seed(2)
old = nn.utils.weight_norm(nn.Linear(6, 5), name="weight")
print(old, [name for name, _ in old.named_parameters()], old(x).sum())
nn.utils.remove_weight_norm(old)
print([name for name, _ in old.named_parameters()], old(x).sum())
old = nn.utils.spectral_norm(nn.Linear(6, 5))
print([name for name, _ in old.named_parameters()], list(old.state_dict()), old(x).sum(), old(x).sum())
old(x).sum().backward()
print(old.weight_orig.grad.sum())
nn.utils.remove_spectral_norm(old)
print(list(old.state_dict()))

# Pruning.
torch.manual_seed(3)
net = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))
prune.l1_unstructured(net[0], "weight", amount=0.4)
print(list(net[0].state_dict()), net[0].weight_mask, net[0].weight, prune.is_pruned(net))
prune.random_unstructured(net[0], "bias", amount=2)
print(net[0].bias)
prune.ln_structured(net[0], "weight", amount=0.25, n=2, dim=0)
print(net[0].weight_mask, [len(hook) for hook in net[0]._forward_pre_hooks.values() if isinstance(hook, prune.PruningContainer)])
net(x).sum().backward()
print(net[0].weight_orig.grad)
prune.remove(net[0], "weight")
print([name for name, _ in net[0].named_parameters()], net[0].weight)
torch.manual_seed(4)
prune.random_structured(net[2], "weight", amount=1, dim=1)
print(net[2].weight)
fresh = nn.Sequential(nn.Linear(6, 4), nn.Linear(4, 2))
prune.global_unstructured([(fresh[0], "weight"), (fresh[1], "weight")], pruning_method=prune.L1Unstructured, amount=0.5)
print(fresh[0].weight_mask.sum() + fresh[1].weight_mask.sum(), fresh(x).sum())
try:
    prune.l1_unstructured(fresh[0], "weight", amount=1.5)
except ValueError as error:
    print(error)

# A normalisation put into the layer before it.
torch.manual_seed(5)
conv, norm = nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3)
norm(torch.randn(4, 3, 5, 5) * 2 + 1)
image = torch.randn(1, 2, 4, 4)
fused = nn.utils.fuse_conv_bn_eval(conv.eval(), norm.eval())
print((fused(image) - norm(conv(image))).abs().max() < 1e-5)
compiled = torch.compile(spectral.eval())
print(compiled(x).sum().detach(), compiled(x).sum().detach())

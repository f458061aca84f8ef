# tolerance: 1e-4
# Normalisation modules: over the batch, over groups of channels, over each channel of each example.
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def show(name, module, x):
    print(name, module)
    x = x.clone().requires_grad_()
    y = module(x)
    print(y.detach())
    (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
    print(x.grad, [(p.grad + 0.0) for p in module.parameters()])
    print({key: value.clone() for key, value in module.state_dict().items()})


torch.manual_seed(4)
image = torch.randn(2, 3, 2, 2)
batch = nn.BatchNorm2d(3)
show("batch 2d", batch, image)
show("again", batch, image * 2 + 1)
show("in eval", batch.eval(), image)
show("without bias", nn.BatchNorm2d(3, bias=False), image)
show("not affine, cumulative", nn.BatchNorm3d(3, affine=False, momentum=None), torch.randn(2, 3, 1, 2, 2))
show("without statistics", nn.BatchNorm2d(3, track_running_stats=False).eval(), image)
show("groups", nn.GroupNorm(2, 4), torch.randn(2, 4, 3))
show("groups of one", nn.GroupNorm(3, 3, affine=False), image)
show("groups without bias", nn.GroupNorm(1, 3, bias=False), image)
show("instances", nn.InstanceNorm2d(3), image)
show("instances 1d, affine", nn.InstanceNorm1d(3, affine=True), torch.randn(2, 3, 4))
kept = nn.InstanceNorm2d(3, track_running_stats=True, affine=True)
show("instances, statistics", kept, image)
show("again", kept, image + 3)
show("in eval", kept.eval(), image)
print(nn.InstanceNorm1d(3)(torch.arange(12.0).reshape(3, 4)).shape)
print(nn.InstanceNorm3d(2)(torch.randn(2, 2, 2, 2, 2)).mean().abs() < 1e-6)
show("response", nn.LocalResponseNorm(2), image)
print(F.local_response_norm(torch.arange(1.0, 13.0).reshape(1, 4, 3), 3, alpha=0.5, beta=0.5, k=2.0))
batch.reset_running_stats()
print(batch.running_mean, batch.running_var, batch.num_batches_tracked)

attempt("rank 2", lambda: nn.BatchNorm2d(3)(torch.ones(3, 3)))
attempt("rank 4", lambda: nn.BatchNorm1d(3)(torch.ones(3, 3, 1, 1)))
attempt("rank 4", lambda: nn.BatchNorm3d(3)(torch.ones(3, 3, 1, 1)))
attempt("channels", lambda: nn.BatchNorm2d(3)(torch.ones(2, 4, 3, 3)))
attempt("channels, no statistics", lambda: nn.BatchNorm2d(3, track_running_stats=False)(torch.ones(2, 4, 3, 3)))
attempt("one value", lambda: nn.BatchNorm2d(3)(torch.ones(1, 3, 1, 1)))
attempt("groups", lambda: nn.GroupNorm(3, 4))
attempt("groups' input", lambda: nn.GroupNorm(2, 4)(torch.ones(2, 3, 3)))
attempt("instances, rank", lambda: nn.InstanceNorm2d(3)(torch.ones(2, 4)))
attempt("instances, channels", lambda: nn.InstanceNorm2d(3, affine=True)(torch.ones(2, 4, 3, 3)))
attempt("instances, one value", lambda: nn.InstanceNorm2d(3)(torch.ones(2, 3, 1, 1)))
attempt("response, rank", lambda: nn.LocalResponseNorm(2)(torch.ones(2, 3)))

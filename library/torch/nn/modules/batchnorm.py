"""Normalisation with statistics that may be kept, over the batch.

    BatchNorm2d(8)       # 8 channels, each by what it has in all images of the batch
"""
import torch
from torch.nn import functional as F, init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class _NormBase(Module):
    """What normalises channels with statistics that it may keep: `running_mean`, `running_var`."""

    def __init__(self, num_features, eps, momentum, affine, track_running_stats, device, dtype,
                 bias):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        made = {"device": device, "dtype": dtype}
        weight = Parameter(torch.ones(num_features, **made)) if affine else None
        self.register_parameter("weight", weight)
        shift = Parameter(torch.zeros(num_features, **made)) if affine and bias else None
        self.register_parameter("bias", shift)
        for name, fill in (("running_mean", torch.zeros), ("running_var", torch.ones)):
            self.register_buffer(name, fill(num_features, **made) if track_running_stats else None)
        count = torch.tensor(0, device=device) if track_running_stats else None
        self.register_buffer("num_batches_tracked", count)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _may_lack(self, name):
        """States that were saved before batches were counted have no count."""
        return name == "num_batches_tracked"

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
                f"affine={self.affine}, bias={self.bias is not None}, "
                f"track_running_stats={self.track_running_stats}")


class _BatchNorm(_NormBase):
    """Normalises each channel over the batch; in `eval`, with the statistics that it has kept."""

    _ranks = ()  # what the input may have

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype,
                         bias)

    def forward(self, input):
        if input.dim() not in self._ranks:
            expected = " or ".join([f"{rank}D" for rank in self._ranks])
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        return self._normalized(input)

    def _normalized(self, input):
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        # Statistics that it no longer tracks are as they are, and of use in `eval` alone.
        kept = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if kept else None,
                            self.running_var if kept else None, self.weight, self.bias,
                            self.training or self.running_mean is None, momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    _ranks = (5,)

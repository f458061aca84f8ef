"""Normalisation of each channel of each example by itself.

    InstanceNorm2d(8)    # 8 channels, each by what it has in one image
"""
import warnings
from torch.nn import functional as F
from torch.nn.modules.batchnorm import _NormBase


class _InstanceNorm(_NormBase):
    """Normalises each channel of each example; an example alone has one dimension less."""

    _rank = 0  # of a batch

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False,
                 track_running_stats=False, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype,
                         bias)

    def forward(self, input):
        rank = self._rank
        if input.dim() not in (rank - 1, rank):
            raise ValueError(f"expected {rank - 1}D or {rank}D input (got {input.dim()}D input)")
        channels = input.size(input.dim() - rank + 1)
        if channels != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={input.dim() - rank + 1} to match "
                                 f"num_features ({self.num_features}), but got: {channels}.")
            warnings.warn(f"input's size at dim={input.dim() - rank + 1} does not match "
                          "num_features. You can silence this warning by not passing in "
                          "num_features, which is not used because affine=False")
        batch = input if input.dim() == rank else input.unsqueeze(0)
        result = F.instance_norm(batch, self.running_mean, self.running_var, self.weight, self.bias,
                                 self.training or not self.track_running_stats,
                                 self.momentum if self.momentum is not None else 0.0, self.eps)
        return result if input.dim() == rank else result.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    _rank = 3


class InstanceNorm2d(_InstanceNorm):
    _rank = 4


class InstanceNorm3d(_InstanceNorm):
    _rank = 5

"""`DistributedDataParallel`: gradients are the mean over all processes; of one process, its own."""
import torch
from torch.distributed._group import group_of
from torch.nn.modules.module import Module


class DistributedDataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True,
                 init_sync=True, process_group=None, bucket_cap_mb=None, find_unused_parameters=False,
                 check_reduction=False, gradient_as_bucket_view=False, static_graph=False, **kwargs):
        super().__init__()
        parameters = list(module.parameters())
        if not any(each.requires_grad for each in parameters):
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any "
                               "parameter that requires a gradient.")
        types = {each.device.type for each in parameters}
        if device_ids and types != {"cuda"}:
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with "
                "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                f"{device_ids}, output_device {output_device}, and module parameters "
                f"{ {each.device for each in parameters} }.")
        self.process_group = group_of(process_group)
        self.module = module
        self.device_ids = device_ids or None
        self.output_device = output_device
        self.dim = dim
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = True

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def no_sync(self):
        return _NoSync(self)


class _NoSync:
    """Inside it gradients are added up without those of others."""

    def __init__(self, module):
        self._module = module

    def __enter__(self):
        self._before = self._module.require_backward_grad_sync
        self._module.require_backward_grad_sync = False

    def __exit__(self, kind, value, traceback):
        self._module.require_backward_grad_sync = self._before

"""`DataParallel`: a batch in parts, one for each GPU; of one GPU, or none, the batch as it is."""
import torch
from torch.nn.modules.module import Module


def _check_devices(device_ids):
    count = torch.cuda.device_count()
    chosen = list(range(count)) if device_ids is None else [torch.device("cuda", each).index for each in device_ids]
    if len(chosen) > 1:
        raise NotImplementedError(f"a batch in parts for {len(chosen)} GPUs is not there: give one, "
                                  "device_ids=[0]")
    return chosen


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = _check_devices(device_ids) if torch.cuda.is_available() else []
        if self.device_ids:
            module.to(f"cuda:{self.device_ids[0]}")

    def forward(self, *inputs, **kwargs):
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        home = f"cuda:{self.device_ids[0]}"
        return self.module(*[_moved(each, home) for each in inputs],
                           **{name: _moved(each, home) for name, each in kwargs.items()})


def _moved(value, home):
    """A tensor, and those in lists, tuples and dicts, in the memory of a GPU."""
    if isinstance(value, torch.Tensor):
        return value.to(home)
    if isinstance(value, (list, tuple)):
        return type(value)([_moved(each, home) for each in value])
    if isinstance(value, dict):
        return {name: _moved(each, home) for name, each in value.items()}
    return value


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """The same as a function."""
    if not isinstance(inputs, tuple):
        inputs = (inputs,)
    return DataParallel(module, device_ids, output_device, dim)(*inputs, **(module_kwargs or {}))

"""Which device is meant: `torch.cuda` has one, `cuda:0`, and takes it in any of its forms."""
import _glint_cuda
import torch


def _index_of(given, optional=True):
    """The number that a device, its name, a number or `torch.cuda.device` stands for."""
    if isinstance(given, int):
        return given
    if isinstance(given, torch.cuda.device):
        return given.idx
    if isinstance(given, str):
        given = torch.device(given)
    if given is None or isinstance(given, torch.device):
        if given is not None and given.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {given}")
        index = None if given is None else given.index
        if index is None and not optional:
            raise ValueError("Expected a torch.device with a specified index or an integer, "
                             f"but got:{given}")
        return 0 if index is None else index
    raise ValueError("Expected a torch.device with a specified index or an integer, "
                     f"but got:{given}")


def _need(given):
    """The index of a device that is there; of a negative one too, which means none."""
    _glint_cuda.need()
    index = _index_of(given)
    if index >= torch.cuda.device_count():
        raise torch.AcceleratorError("CUDA error: invalid device ordinal: there is one device, "
                                     "cuda:0")
    return index

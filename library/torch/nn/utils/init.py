"""Modules whose parameters are not filled."""
import torch


def skip_init(module_cls, *args, **kwargs):
    """The module with whatever is in its parameters' memory."""
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    device = kwargs.pop("device", "cpu")
    state = torch.get_rng_state()
    module = module_cls(*args, **kwargs).to(device)
    torch.set_rng_state(state)
    return module

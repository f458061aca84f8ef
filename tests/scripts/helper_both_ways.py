# What tests of functions share: each is run eagerly and compiled, or told why it is refused.
# module
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def both(what, function, *inputs):
    """Eager and compiled: results, and gradients of what is a float."""
    for run in (function, torch.compile(function)):
        leaves = [each.clone().requires_grad_(each.is_floating_point()) for each in inputs]
        result = run(*leaves)
        parts = result if isinstance(result, tuple) else (result,)
        total = sum([(part * weights_of(part)).sum() for part in parts if part.requires_grad])
        if isinstance(total, torch.Tensor):
            total.backward()
        print(what, *[part.detach() for part in parts], *[leaf.grad for leaf in leaves if leaf.requires_grad])


def weights_of(part):
    return torch.arange(1, part.numel() + 1, dtype=part.dtype).view(part.shape) / 4

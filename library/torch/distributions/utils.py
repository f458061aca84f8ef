"""What distributions share: broadcast parameters, probabilities and their logarithms."""
import torch
import torch.nn.functional as F


def is_number(value):
    return isinstance(value, (int, float))


def broadcast_all(*values):
    """Tensors of one shape, numbers in the dtype and on the device of the first tensor."""
    if not all([isinstance(value, torch.Tensor) or is_number(value) for value in values]):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects "
                         "implementing __torch_function__.")
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    options = {"dtype": tensors[0].dtype, "device": tensors[0].device} if tensors else {
        "dtype": torch.get_default_dtype()}
    return torch.broadcast_tensors(*[value if isinstance(value, torch.Tensor) else torch.tensor(value, **options)
                                     for value in values])


def batch_shape_of(parameter, *given):
    """The shape of a broadcast parameter; of numbers alone none."""
    return torch.Size() if all([is_number(value) for value in given]) else parameter.size()


def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


class lazy_property:
    """An attribute that is computed when it is first read, and kept."""

    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def sum_rightmost(value, count):
    return value if count == 0 else value.reshape(value.shape[:value.dim() - count] + (-1,)).sum(-1)

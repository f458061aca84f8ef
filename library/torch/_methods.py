"""Methods of tensors that have no function beside them, and functions of what complex numbers would be.

    x.apply_(lambda value: value + 1)      each element by a function of the script, on the processor
    x.put_(places, values)                 written by the place in the flat tensor
"""
import torch
from torch._output import scalar_name
from torch._special import common_integer


def _check_near(input, name):
    if input.device.type != "cpu":
        raise TypeError(f"{name} is only implemented on CPU tensors")


def apply_(input, callable):
    """Each element by a function."""
    _check_near(input, "apply_")
    flat = [callable(value) for value in input.detach().reshape(-1).tolist()]
    with torch.no_grad():
        return input.copy_(torch.tensor(flat, dtype=input.dtype).reshape(input.shape))


def map_(input, tensor, callable):
    """Each element, with its other, by a function."""
    _check_near(input, "map_")
    other = tensor.expand_as(input).reshape(-1).tolist()
    flat = [callable(left, right) for left, right in zip(input.detach().reshape(-1).tolist(), other)]
    with torch.no_grad():
        return input.copy_(torch.tensor(flat, dtype=input.dtype).reshape(input.shape))


def put(input, index, source, accumulate=False):
    """A copy with values at places of the flat tensor."""
    if index.dtype != torch.int64:
        raise IndexError("put_(): Expected a long tensor for index, but got "
                         f"{scalar_name(index)}")
    if index.numel() != source.numel():
        raise IndexError("put_(): Expected source and index to have the same number of elements, but got "
                         f"source.numel() = {source.numel()}, index.numel() = {index.numel()}")
    flat = input.reshape(-1).index_put((index.reshape(-1),), source.reshape(-1), accumulate)
    return flat.reshape(input.shape)


def put_(input, index, source, accumulate=False):
    """The same, written over the input."""
    return input.copy_(put(input, index, source, accumulate))


def renorm_(input, p, dim, maxnorm):
    """`renorm`, written over the input."""
    return input.copy_(torch.renorm(input, p, dim, maxnorm))


def float_power_(input, exponent):
    """`float_power`, written over the input, of float64."""
    if input.dtype != torch.float64:
        raise RuntimeError("the base given to float_power_ has dtype "
                           f"{scalar_name(input)} but the operation's result requires dtype Double")
    return input.copy_(torch.float_power(input, exponent))


def gcd_(input, other):
    """`gcd`, written over the input."""
    common_integer("gcd", input, other, input)
    return input.copy_(torch.gcd(input, other))


def lcm_(input, other):
    """`lcm`, written over the input."""
    common_integer("lcm", input, other, input)
    return input.copy_(torch.lcm(input, other))


def is_shared(input):
    """Whether other processes see it: there are none."""
    return input.device.type != "cpu"


def adjoint(input):
    """The last two dimensions exchanged."""
    return input.mT

"""Tensors as NumPy's arrays and back, over the same memory.

    a = tensor.numpy()             a[0] = 1 writes the tensor
    torch.from_numpy(a)
"""
import torch


def _check_place(tensor):
    if tensor.device.type != "cpu":
        raise TypeError(f"can't convert {tensor.device} device type tensor to numpy. Use Tensor.cpu() to copy the "
                        "tensor to host memory first.")


def readable(tensor, force=False):
    """What an array shows of a tensor: its memory, without history."""
    if force:
        tensor = tensor.detach().cpu()
    _check_place(tensor)
    if tensor.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if tensor.dtype is torch.bfloat16:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return tensor.detach()


def to_array(tensor, force):
    from numpy._array import wrap

    return wrap(readable(tensor, force))


def from_numpy(ndarray):
    """The tensor over an array's memory."""
    import numpy

    if not isinstance(ndarray, numpy.ndarray):
        kind = type(ndarray)
        name = f"numpy.{kind.__name__}" if isinstance(ndarray, numpy.generic) else kind.__name__
        raise TypeError(f"expected np.ndarray (got {name})")
    return ndarray._tensor.detach()

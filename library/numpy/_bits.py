"""`a.view(np.int32)`: the same memory, its bits read as another dtype."""
import torch
from numpy._dtypes import OF_TORCH

_LAST_AXIS = ("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
              "last axis of the array.")


def viewed(tensor, before, after):
    """The tensor that an array of the other dtype shows."""
    if tensor.dtype not in OF_TORCH or OF_TORCH[tensor.dtype] is not before or after not in OF_TORCH.values():
        raise NotImplementedError(f"an array of {before} is not viewed as {after}: use astype")
    if before.itemsize != after.itemsize:
        if tensor.dim() == 0:
            raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        if tensor.stride(-1) != 1:
            raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
        if tensor.size(-1) * before.itemsize % after.itemsize:
            raise ValueError(_LAST_AXIS)
    try:
        return tensor.view(after._torch)
    except RuntimeError:
        raise NotImplementedError("numbers that begin within others are not viewed: copy the array") from None

"""The dtypes of complex tensors: what a pair of numbers of a real dtype is called."""
import torch


class dtype:
    """`torch.complex64` and its like; they count as `torch.dtype`."""
    __module__ = "torch"
    __counts_as__ = (torch.dtype,)
    is_complex = True
    is_floating_point = False
    is_signed = True

    def __init__(self, name, real):
        self._name = name
        self._real = real

    @property
    def itemsize(self):
        return 2 * self._real.itemsize

    def to_real(self):
        return self._real

    def to_complex(self):
        return self

    def __repr__(self):
        return "torch." + self._name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return self._name


complex32 = dtype("complex32", torch.float16)
complex64 = dtype("complex64", torch.float32)
complex128 = dtype("complex128", torch.float64)


def of_real(real):
    """What pairs of numbers of a real dtype are called; None where there are no such."""
    if real is torch.float32:
        return complex64
    if real is torch.float64:
        return complex128
    return complex32 if real is torch.float16 else None

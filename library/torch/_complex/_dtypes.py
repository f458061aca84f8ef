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

OF_REAL = {torch.float16: complex32, torch.float32: complex64, torch.float64: complex128}


def default_dtype():
    return OF_REAL.get(torch.get_default_dtype(), complex64)

"""What all arrays are: a tensor, and the attributes that say how it lies.

    class ndarray(OverTensor)          the arrays to compute with (`_array`)
    class ComplexArray(OverTensor)     of complex numbers (`_complex_arrays`)
    class StoredArray(OverTensor)      of numbers that are kept only (`_stored`)

A subclass gives `dtype` and `__getitem__`.
"""


class OverTensor:
    __slots__ = ("_tensor",)
    __hash__ = None

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @property
    def ndim(self):
        return self._tensor.dim()

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def itemsize(self):
        return self._tensor.element_size()

    @property
    def nbytes(self):
        return self._tensor.numel() * self._tensor.element_size()

    @property
    def strides(self):
        return tuple([each * self._tensor.element_size() for each in self._tensor.stride()])

    def __len__(self):
        if self._tensor.dim() == 0:
            raise TypeError("len() of unsized object")
        return self._tensor.size(0)

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])

    def tolist(self):
        return self._tensor.tolist()

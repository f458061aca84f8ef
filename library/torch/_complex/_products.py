"""Matrix products of complex tensors: four real ones, or two where one side is real."""
import torch
from torch._complex._arithmetic import add, mul
from torch._complex._tensor import Tensor, join, parts


def _bilinear(name):
    """A product of `torch` that is linear in both sides, of complex ones."""
    function = getattr(torch, name)

    def product(input, other):
        (a, b), (c, d) = parts(input), parts(other)
        if d is None:
            return join(function(a, _as_dtype(c, a)), function(b, _as_dtype(c, a)))
        if b is None:
            return join(function(_as_dtype(a, c), c), function(_as_dtype(a, c), d))
        return join(function(a, c) - function(b, d), function(a, d) + function(b, c))

    product.__name__ = name
    return product


def _as_dtype(real, like):
    """PyTorch refuses operands of two dtypes."""
    if real.dtype != like.dtype:
        raise RuntimeError("expected m1 and m2 to have the same dtype, but got: "
                           f"{_cpp_name(real.dtype)} != c10::complex<{_cpp_name(like.dtype)}>")
    return real


def _cpp_name(dtype):
    from torch._output import cpp_name

    return cpp_name(dtype)


matmul = _bilinear("matmul")
mm = _bilinear("mm")
bmm = _bilinear("bmm")
mv = _bilinear("mv")
dot = _bilinear("dot")
outer = _bilinear("outer")


def vdot(input, other):
    """The product with the first side conjugate."""
    return dot(input.conj(), other)


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return add(mul(input, beta), mul(mm(mat1, mat2), alpha))


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return add(mul(input, beta), mul(bmm(batch1, batch2), alpha))


def linear(input, weight, bias=None):
    product = matmul(input, weight.T)
    return product if bias is None else add(product, bias)


def kron(input, other):
    """Every product of two elements: a block of `other` for each element of `input`."""
    rank = max(input.dim(), other.dim())
    a = input.reshape([1] * (rank - input.dim()) + list(input.shape))
    b = other.reshape([1] * (rank - other.dim()) + list(other.shape))
    for dim in range(rank):
        a, b = a.unsqueeze(2 * dim + 1), b.unsqueeze(2 * dim)
    product = mul(a, b)
    return product.reshape([product.shape[2 * i] * product.shape[2 * i + 1] for i in range(rank)])


Tensor.__matmul__ = lambda self, other: matmul(self, other) if isinstance(other, torch.Tensor) else NotImplemented
Tensor.__rmatmul__ = lambda self, other: matmul(other, self) if isinstance(other, torch.Tensor) else NotImplemented
Tensor.__abs__ = lambda self: self.abs()

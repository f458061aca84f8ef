"""Products of vectors and matrices: `dot`, `matmul`, `einsum`, `outer`, `kron`."""
import torch
from numpy._array import to_tensor_result, wrap, wrap_result
from numpy._axes import one_axis
from numpy._dtypes import converted, promote
from numpy._reductions import _given, _summed_dtype, folded
from numpy._values import operand


def _in_common_dtype(a, b):
    first, second = operand(a), operand(b)
    common = promote(first.dtype, second.dtype)
    return first.to(common), second.to(common)


def _multiplied(first, second):
    """The matrix product; of bools, whether there is a pair of true ones."""
    if first.dtype is torch.bool:
        return torch.matmul(first.to(torch.int64), second.to(torch.int64)) != 0
    if first.dtype is torch.float16:
        return torch.matmul(first.to(torch.float32), second.to(torch.float32)).to(torch.float16)
    return torch.matmul(first, second)


def matmul(x1, x2, /, out=None):
    first, second = _in_common_dtype(x1, x2)
    signature = "(n?,k),(k,m?)->(n?,m?)"
    for place, each in enumerate((first, second)):
        if each.dim() == 0:
            raise ValueError(f"matmul: Input operand {place} does not have enough dimensions (has 0, gufunc core with "
                             f"signature {signature} requires 1)")
    inner = second.size(0 if second.dim() == 1 else -2)
    if first.size(-1) != inner:
        raise ValueError("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"{signature} (size {inner} is different from {first.size(-1)})")
    try:
        result = _multiplied(first, second)
    except RuntimeError:
        raise ValueError("operands could not be broadcast together with remapped shapes "
                         "[original->remapped]: "
                         f"{_text(first.shape)}->{_remapped(first)} {_text(second.shape)}->{_remapped(second)} "
                         f" and requested shape ({first.size(-2)},{second.size(-1)})") from None
    if out is None and (isinstance(x1, torch.Tensor) or isinstance(x2, torch.Tensor)):
        return to_tensor_result(result)
    return _given(result, out)


def _text(shape):
    return str(tuple(shape)).replace(" ", "")


def _remapped(tensor):
    return "(" + ",".join([*[str(each) for each in tensor.shape[:-2]], "newaxis", "newaxis"]) + ")"


def dot(a, b, out=None):
    """Of vectors their product, of matrices the matrix product, of a number the multiple."""
    first, second = _in_common_dtype(a, b)
    if first.dim() == 0 or second.dim() == 0:
        from numpy._ufuncs import multiply

        return multiply(a, b, out=out)
    inner = second.size(0 if second.dim() == 1 else -2)
    if first.size(-1) != inner:
        raise ValueError(f"shapes {_text(first.shape)} and {_text(second.shape)} not aligned: {first.size(-1)} (dim "
                         f"{first.dim() - 1}) != {inner} (dim {max(second.dim() - 2, 0)})")
    if second.dim() <= 2:
        return _given(_multiplied(first, second), out)
    return _given(torch.tensordot(first, second, dims=([first.dim() - 1], [second.dim() - 2])), out)


def vdot(a, b, /):
    return dot(wrap(operand(a).reshape(-1)), wrap(operand(b).reshape(-1)))


def vecdot(x1, x2, /, *, axis=-1):
    first, second = _in_common_dtype(x1, x2)
    return wrap_result((first * second).sum(axis))


def inner(a, b, /):
    first, second = _in_common_dtype(a, b)
    if first.dim() == 0 or second.dim() == 0:
        return dot(a, b)
    if first.size(-1) != second.size(-1):
        raise ValueError(f"shapes {_text(first.shape)} and {_text(second.shape)} not aligned: {first.size(-1)} (dim "
                         f"{first.dim() - 1}) != {second.size(-1)} (dim {second.dim() - 1})")
    product = _multiplied(first.reshape(-1, first.size(-1)), second.reshape(-1, second.size(-1)).transpose(0, 1))
    return wrap_result(product.reshape((*first.shape[:-1], *second.shape[:-1])))


def outer(a, b, out=None):
    first, second = _in_common_dtype(a, b)
    first, second = first.reshape(-1, 1), second.reshape(-1)
    return _given(first & second if first.dtype is torch.bool else first * second, out)


def tensordot(a, b, axes=2):
    first, second = _in_common_dtype(a, b)
    if first.dtype is torch.bool:
        return tensordot(wrap(first.to(torch.int64)), wrap(second.to(torch.int64)), axes).astype(bool)
    try:
        if isinstance(axes, int):
            return wrap(torch.tensordot(first, second, axes))
        pairs = [[each] if isinstance(each, int) else list(each) for each in axes]
        return wrap(torch.tensordot(first, second, (pairs[0], pairs[1])))
    except (RuntimeError, IndexError):
        raise ValueError("shape-mismatch for sum") from None


def einsum(subscripts, *operands, out=None, optimize=False):
    """Products and sums by letters: `einsum("ij,jk->ik", a, b)`."""
    tensors = [operand(each) for each in operands]
    common = tensors[0].dtype
    for each in tensors[1:]:
        common = promote(common, each.dtype)
    try:
        return _given(torch.einsum(subscripts, *[each.to(common) for each in tensors]), out)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def kron(a, b):
    return wrap_result(torch.kron(*_in_common_dtype(a, b)))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    first, second = _in_common_dtype(a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    first, second = first.movedim(axisa, -1), second.movedim(axisb, -1)
    if first.size(-1) != 3 or second.size(-1) != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
                         f"{first.size(-1)} and {second.size(-1)} dimensional instead.")
    first, second = torch.broadcast_tensors(first, second)
    return wrap(torch.linalg.cross(first, second, dim=-1).movedim(-1, axisc))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    tensor = operand(a)
    diagonal = tensor.diagonal(offset, one_axis(axis1, tensor.dim()), one_axis(axis2, tensor.dim()))
    diagonal = converted(diagonal, _summed_dtype(diagonal, dtype, "trace"))
    return _given(folded("sum", diagonal, [diagonal.dim() - 1]), out)

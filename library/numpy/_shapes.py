"""Arrays of other shapes and orders over the same memory, where there is a view of it.

    reshape(a, (2, -1)), transpose(a), ravel(a)
    expand_dims(a, 0), squeeze(a), moveaxis(a, 0, -1), broadcast_to(a, (3, 4))
    flip(a), roll(a, 1), rot90(a)
"""
import operator

import torch
from numpy import _memory
from numpy._array import _view, locked, ndarray, wrap, wrap_result
from numpy._axes import axes_of, one_axis
from numpy._values import asarray, operand


def _over(a, tensor):
    """The array of a tensor that is a part of another's, or made from it."""
    return _view(a, tensor) if isinstance(a, ndarray) else wrap(tensor)


def _as_given(a, tensor):
    """The same, but of a tensor a tensor: NumPy hands those calls on to its method."""
    return tensor if isinstance(a, torch.Tensor) else _over(a, tensor)


def shape(a):
    return tuple(operand(a).shape)


def ndim(a):
    return operand(a).dim()


def size(a, axis=None):
    tensor = operand(a)
    return tensor.numel() if axis is None else tensor.size(one_axis(axis, tensor.dim()))


def isscalar(element):
    from numpy._scalars import generic

    return isinstance(element, (generic, int, float, str, bytes))


# ---- Shapes -------------------------------------------------------------------------------------

def _text(sizes):
    """As NumPy names a wanted shape, without unknown sizes in front."""
    known = list(sizes)
    while known and known[0] < 0:
        known = known[1:]
    text = ",".join(["newaxis" if each < 0 else str(each) for each in known])
    return f"({text},)" if len(sizes) == 1 else f"({text})"


def _full_sizes(count, sizes):
    """Sizes with the one that is -1 worked out."""
    unknown = [i for i, each in enumerate(sizes) if each < 0]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    known = 1
    for each in sizes:
        known *= each if each >= 0 else 1
    if unknown and known > 0 and count % known == 0:
        sizes = [*sizes[:unknown[0]], count // known, *sizes[unknown[0] + 1:]]
        known = count
    if known != count or any([each < 0 for each in sizes]):
        return None
    return sizes


def reshape(a, shape, order="C", *, copy=None):
    """The elements in another shape; a view where there is one."""
    tensor = operand(a)
    sizes = [operator.index(each) for each in (shape if isinstance(shape, (tuple, list, ndarray)) else (shape,))]
    full = _full_sizes(tensor.numel(), sizes)
    if full is None:
        raise ValueError(f"cannot reshape array of size {tensor.numel()} into shape {_text(sizes)}")
    if order == "F":
        backwards = tuple(reversed(range(tensor.dim())))
        turned = tensor.permute(backwards).reshape(tuple(reversed(full)))
        return _as_given(a, turned.permute(tuple(reversed(range(len(full))))))
    return _as_given(a, tensor.reshape(tuple(full)))


def ravel(a, order="C"):
    return reshape(asarray(a), -1, "F" if order == "F" else "C")


def expand_dims(a, axis):
    tensor = operand(a)
    rank = tensor.dim() + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    for each in sorted(axes_of(axis, rank)):
        tensor = tensor.unsqueeze(each)
    return _over(a, tensor)


def squeeze(a, axis=None):
    tensor = operand(a)
    if axis is None:
        return _as_given(a, tensor.squeeze())
    for each in sorted(axes_of(axis, tensor.dim()), reverse=True):
        if tensor.size(each) != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        tensor = tensor.squeeze(each)
    return _as_given(a, tensor)


def _at_least(rank, shape_of):
    def function(*arys):
        made = []
        for each in arys:
            tensor = operand(each)
            made.append(asarray(each) if tensor.dim() >= rank else _over(each, tensor.reshape(shape_of(tensor))))
        return made[0] if len(made) == 1 else tuple(made)

    return function


atleast_1d = _at_least(1, lambda tensor: (1,))
atleast_2d = _at_least(2, lambda tensor: (1, tensor.numel()))
atleast_3d = _at_least(3, lambda tensor: (1, tensor.numel(), 1) if tensor.dim() < 2 else (*tensor.shape, 1))


def broadcast_to(array, shape, subok=False):
    tensor = operand(array)
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    try:
        return locked(tensor.expand(wanted))
    except RuntimeError:
        raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                         f"{_text_of_shape(tensor.shape)}  and requested shape {_text_of_shape(wanted)}") from None


def _text_of_shape(shape):
    return str(tuple(shape)).replace(" ", "")


def broadcast_arrays(*args, subok=False):
    from numpy._ufuncs import _broadcast_shape, _shapes_do_not_fit

    tensors = [operand(each) for each in args]
    common = _broadcast_shape(tensors)
    if common is None:
        raise _shapes_do_not_fit(tensors)
    return tuple([locked(each.expand(common)) for each in tensors])


def broadcast_shapes(*args):
    from numpy._ufuncs import _broadcast_shape

    common = _broadcast_shape([_memory.empty(each if isinstance(each, tuple) else (each,)) for each in args])
    if common is None:
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.")
    return common


# ---- Orders of axes -----------------------------------------------------------------------------

def transpose(a, axes=None):
    tensor = operand(a)
    if axes is None:
        return _as_given(a, tensor.permute(tuple(reversed(range(tensor.dim())))))
    axes = list(axes)
    if len(axes) != tensor.dim():
        raise ValueError("axes don't match array")
    order = [one_axis(each, tensor.dim()) for each in axes]
    if len(set(order)) < len(order):
        raise ValueError("repeated axis in transpose")
    return _as_given(a, tensor.permute(tuple(order)))


permute_dims = transpose


def matrix_transpose(x):
    return swapaxes(x, -1, -2)


def swapaxes(a, axis1, axis2):
    tensor = operand(a)
    return _as_given(a, tensor.transpose(one_axis(axis1, tensor.dim()), one_axis(axis2, tensor.dim())))


def moveaxis(a, source, destination):
    tensor = operand(a)
    from_, to = axes_of(source, tensor.dim()), axes_of(destination, tensor.dim())
    if len(from_) != len(to):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [each for each in range(tensor.dim()) if each not in from_]
    for place, axis in sorted(zip(to, from_)):
        order.insert(place, axis)
    return _over(a, tensor.permute(tuple(order)))


def rollaxis(a, axis, start=0):
    rank = operand(a).dim()
    axis = one_axis(axis, rank)
    start = start + rank if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


# ---- Elements turned around ---------------------------------------------------------------------

def flip(m, axis=None):
    tensor = operand(m)
    turned = tensor.flip(tuple(axes_of(axis, tensor.dim())))
    return locked(turned) if tensor.dim() else wrap_result(turned)


def _flip_one(least, axis):
    def function(m):
        tensor = operand(m)
        if tensor.dim() < least:
            raise ValueError(f"Input must be >= {least}-d.")
        return flip(m, axis)

    return function


flipud, fliplr = _flip_one(1, 0), _flip_one(2, 1)


def roll(a, shift, axis=None):
    tensor = operand(a)
    if axis is None:
        if tensor.numel() == 0:
            return wrap(tensor.clone())
        total = sum(shift) if isinstance(shift, (tuple, list)) else shift
        return wrap(tensor.reshape(-1).roll(int(total), 0).reshape(tensor.shape))
    axes = [one_axis(each, tensor.dim()) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    shifts = list(shift) if isinstance(shift, (tuple, list)) else [shift] * len(axes)
    if len(axes) == 1:
        axes = axes * len(shifts)
    if len(shifts) != len(axes):
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    for each, far in zip(axes, shifts):
        tensor = tensor.roll(int(far), each) if tensor.numel() else tensor
    return wrap(tensor.clone())


def rot90(m, k=1, axes=(0, 1)):
    tensor = operand(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = one_axis(axes[0], tensor.dim()), one_axis(axes[1], tensor.dim())
    if first == second:
        raise ValueError("Axes must be different.")
    return locked(torch.rot90(tensor, k, (first, second)))


def resize(a, new_shape):
    """The elements again and again until the shape is full."""
    sizes = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
    flat, count = operand(a).reshape(-1), 1
    for each in sizes:
        count *= each
    if flat.numel() == 0 or count == 0:
        return wrap(_memory.zeros(sizes, dtype=flat.dtype))
    return wrap(flat.repeat(-(-count // flat.numel()))[:count].reshape(sizes))

"""What distributions share: broadcast parameters, probabilities and their logarithms."""
import torch
import torch.nn.functional as F


euler_constant = 0.57721566490153286060


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


def vec_to_tril_matrix(vec, diag=0):
    """A vector's numbers as the lower triangle of a matrix, row by row, from this diagonal on."""
    count = vec.shape[-1]
    size = round((-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2)
    if (round(size) - size) != 0 or size <= 0:
        raise ValueError(f"The size of last dimension is {count} which cannot be expressed as the lower "
                         "triangular part of a square D x D matrix.")
    rows, columns = torch.tril_indices(size, size, diag, device=vec.device)
    flat = vec.new_zeros(tuple(vec.shape[:-1]) + (size * size,))
    places = (rows * size + columns).expand(vec.shape)
    return flat.scatter(-1, places, vec).reshape(tuple(vec.shape[:-1]) + (size, size))


def tril_matrix_to_vec(mat, diag=0):
    """The lower triangle of a matrix, from this diagonal on, as a vector, row by row."""
    size = mat.shape[-1]
    if diag < -size or diag >= size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    rows, columns = torch.tril_indices(size, size, diag, device=mat.device)
    return mat[..., rows, columns]

"""What both forms of weight norm and spectral norm share: the lengths of parts, a weight as a matrix."""
import torch


def length_of_parts(weight, dim):
    """The norm over all dimensions but one, which stay as sizes of 1; over all for -1."""
    if dim == -1:
        return weight.norm()
    dims = [each for each in range(weight.dim()) if each != dim]
    return torch.linalg.vector_norm(weight, 2, dims, keepdim=True)


def weight_of(direction, length, dim):
    return direction * (length / length_of_parts(direction, dim))


def weight_as_matrix(weight, dim):
    """A row for each place of the dimension."""
    if dim != 0:
        weight = weight.permute(dim, *[each for each in range(weight.dim()) if each != dim])
    return weight.reshape(weight.size(0), -1)


def spectral_dim(module, dim):
    """The dimension of outputs: transposed convolutions have it behind that of inputs."""
    if dim is not None:
        return dim
    nn = torch.nn
    return 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)) else 0

"""The exponential of a matrix, and the product of reflections that a QR decomposition is made of."""
import math

import torch
from torch.linalg._matrices import check_matrix, check_square, transposed

# Of e^x: what is left out after as many terms is below what float64 keeps, for matrices of a norm up to 1/2.
_TERMS = 14
_LARGEST_NORM = 0.5


def matrix_exp(A):
    """The sum of A^k / k!: of A / 2^s by its first terms, which is squared s times."""
    check_square("linalg.matrix_exp", A)
    if A.numel() == 0:
        return A.clone()
    largest = float(torch.linalg.matrix_norm(A.detach(), 1).max())
    halvings = max(0, math.ceil(math.log2(largest / _LARGEST_NORM))) if 0 < largest < math.inf else 0
    scaled = A / 2**halvings
    one = torch.eye(A.size(-1), dtype=A.dtype, device=A.device).expand_as(A)
    result = one
    for k in range(_TERMS, 0, -1):
        result = one + scaled @ result / k
    for _ in range(halvings):
        result = result @ result
    return result


def householder_product(A, tau):
    """The first columns of the product of `1 - tau_i v_i v_i'`, where v_i is column i below the diagonal, with a
    1 on it."""
    check_matrix("linalg.householder_product", A, "input")
    height, width = A.shape[-2:]
    if height < width:
        raise RuntimeError("torch.linalg.householder_product: input.shape[-2] must be greater than or equal to "
                           "input.shape[-1]")
    if width < tau.size(-1):
        raise RuntimeError("torch.linalg.householder_product: input.shape[-1] must be greater than or equal to "
                           "tau.shape[-1]")
    one = torch.eye(height, width, dtype=A.dtype, device=A.device)
    vectors = A.tril(-1) + one
    Q = one.expand_as(A)
    for i in range(tau.size(-1) - 1, -1, -1):
        vector = vectors[..., i:i + 1]
        Q = Q - tau[..., i:i + 1].unsqueeze(-1) * vector @ (transposed(vector) @ Q)
    return Q

"""Sums, means and norms of complex tensors: of the pairs, along the dimensions in front of them."""
import torch
from torch._complex._arithmetic import mul
from torch._complex._tensor import wrap, wrap_dim


def _dims(input, dim):
    """The dimensions to reduce; all for None."""
    if dim is None:
        return list(range(input.dim()))
    return [wrap_dim(each, input.dim()) for each in ((dim,) if isinstance(dim, int) else dim)]


def _in(input, dtype):
    return input if dtype is None else input.to(dtype)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    input = _in(input, dtype)
    dims = _dims(input, dim)
    return wrap(input._pairs.sum(dims, keepdim)) if dims else input.clone()


def mean(input, dim=None, keepdim=False, *, dtype=None):
    input = _in(input, dtype)
    dims = _dims(input, dim)
    return wrap(input._pairs.mean(dims, keepdim)) if dims else input.clone()


def prod(input, dim=None, keepdim=False, *, dtype=None):
    """Factor by factor."""
    input = _in(input, dtype)
    if dim is None:
        input, dim = input.reshape(-1), 0
    dim = wrap_dim(dim, input.dim())
    result = torch.ones_like(input.select(dim, 0)) if input.shape[dim] == 0 else input.select(dim, 0)
    for i in range(1, input.shape[dim]):
        result = mul(result, input.select(dim, i))
    return result.unsqueeze(dim) if keepdim else result


def cumsum(input, dim, *, dtype=None):
    input = _in(input, dtype)
    return wrap(input._pairs.cumsum(wrap_dim(dim, input.dim())))


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """Of the sizes of the elements."""
    return torch.norm(input.abs(), p, dim, keepdim)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return torch.linalg.vector_norm(x.abs(), ord, dim, keepdim)


linalg_vector_norm = vector_norm


def var(input, dim=None, *, correction=1, keepdim=False, unbiased=None):
    correction = correction if unbiased is None else int(unbiased)
    return (torch.var(input.real, dim, correction=correction, keepdim=keepdim)
            + torch.var(input.imag, dim, correction=correction, keepdim=keepdim))


def std(input, dim=None, *, correction=1, keepdim=False, unbiased=None):
    return var(input, dim, correction=correction, keepdim=keepdim, unbiased=unbiased).sqrt()


def count_nonzero(input, dim=None):
    return torch.count_nonzero(input != 0, dim)


def any(input, *args, **kwargs):
    return (input != 0).any(*args, **kwargs)


def all(input, *args, **kwargs):
    return (input != 0).all(*args, **kwargs)

"""`vmap`: a function of one example as a function of a batch.

    vmap(torch.dot)(x, y)                              a dot product for each row
    vmap(grad(loss), in_dims=(None, 0, 0))(w, x, t)    a gradient for each example

The function runs for one slice after the other, and what it returns is put side by side: results are
those of PyTorch, which runs it once for all of them; the time is that of a loop.
"""
import functools
from collections import OrderedDict

import torch

_RANDOMNESS = ("error", "different", "same")
_REASON = "vmap runs its function for one slice after the other"


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function of a batch: arguments are taken apart along `in_dims`, results joined along `out_dims`."""
    if randomness not in _RANDOMNESS:
        raise RuntimeError("Only allowed values for randomness are 'error', 'different', or 'same'. Got "
                           f"{randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    called = _Mapped(func, in_dims, out_dims, randomness)

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        return called(*args, **kwargs)

    return wrapped


class _Mapped:
    def __init__(self, func, in_dims, out_dims, randomness):
        self._func, self._in_dims, self._out_dims = func, in_dims, out_dims
        self._randomness = randomness
        self._name = getattr(func, "__name__", repr(func))

    @torch.compiler.disable(reason=_REASON)
    def __call__(self, *args, **kwargs):
        dims = self._dims_of(args)
        sizes = []
        _with_dims(lambda x, dim: self._note_size(x, dim, sizes), args, dims)
        if not sizes:
            raise ValueError(f"{self._shown()}: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got "
                             f"sizes {sizes} for the mapped dimension")
        results = self._results(args, kwargs, dims, sizes[0])
        return self._joined(results, self._dims_of_output(results[0]), sizes[0])

    def _results(self, args, kwargs, dims, count):
        """What the function returns for each slice; of an empty batch, for one of zeros."""
        before = torch.get_rng_state() if self._randomness != "different" else None
        results = []
        for i in range(max(count, 1)):
            if self._randomness == "same":
                torch.set_rng_state(before)
            slice_of = lambda x, dim: x if dim is None else _slice(x, dim, i, count)
            results.append(self._func(*_with_dims(slice_of, args, dims), **kwargs))
        if self._randomness == "error" and not torch.equal(before, torch.get_rng_state()):
            torch.set_rng_state(before)
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the "
                "'same' or 'different' randomness flags on vmap or perform the randomness operation out "
                "of vmap")
        return results

    def _dims_of(self, args):
        """For each argument, in its structure, the dimension that is mapped."""
        if not args:
            raise ValueError(f"vmap({self._name})(<inputs>): got no inputs. Maybe you forgot to add inputs, "
                             "or you are trying to vmap over a function with no inputs. The latter is "
                             "unsupported.")
        if not isinstance(self._in_dims, (int, tuple)):
            raise ValueError(f"{self._shown()}: expected `in_dims` to be int or a (potentially nested) "
                             f"tuple matching the structure of inputs, got: {type(self._in_dims)}.")
        if isinstance(self._in_dims, int):
            return _same_for_all(self._in_dims, args)
        dims = _spread(self._in_dims, args)
        if dims is _DIFFERENT:
            raise ValueError(f"{self._shown()}: in_dims is not compatible with the structure of `inputs`.")
        return dims

    def _shown(self):
        return f"vmap({self._name}, in_dims={self._in_dims}, ...)(<inputs>)"

    def _note_size(self, x, dim, sizes):
        if dim is None:
            return
        if not isinstance(x, torch.Tensor):
            raise ValueError(
                f"{self._shown()}: Got in_dim={dim} for an input but the input is of type {type(x)}. We "
                "cannot vmap over non-Tensor arguments, please use None as the respective in_dim")
        if not -x.dim() <= dim < x.dim():
            raise ValueError(
                f"{self._shown()}: Got in_dim={dim} for some input, but that input is a Tensor of "
                f"dimensionality {x.dim()} so expected in_dim to satisfy -{x.dim()} <= in_dim < {x.dim()}.")
        sizes.append(x.size(dim))

    def _dims_of_output(self, output):
        if isinstance(self._out_dims, int):
            return _same_for_all(self._out_dims, output)
        dims = _spread(self._out_dims, output)
        if dims is _DIFFERENT:
            raise ValueError(f"vmap({self._name}, ..., out_dims={self._out_dims})(<inputs>): out_dims is not "
                             "compatible with the structure of `outputs`.")
        return dims

    def _joined(self, results, dims, count):
        """The results side by side: each leaf of the first one with those of the others."""
        leaves = [_leaves(result) for result in results]
        following = iter(range(len(leaves[0])))

        def join(first, dim):
            place = next(following)
            if not isinstance(first, torch.Tensor):
                if dim is None:
                    return first
                raise ValueError(
                    f"vmap({self._name}, ...): `{self._name}` must only return Tensors, got type "
                    f"{type(first)}. Did you mean to set out_dims= to None for output?")
            if dim is None:
                if any(not torch.equal(first, of_slice[place]) for of_slice in leaves):
                    raise ValueError(f"vmap({self._name}, ...): `{self._name}` can not return a "
                                     "BatchedTensor when out_dim is None")
                return first
            together = torch.stack([of_slice[place] for of_slice in leaves], dim)
            return together if count > 0 else together.narrow(dim, 0, 0)

        return _with_dims(join, results[0], dims)


def _slice(x, dim, i, count):
    """Of an empty batch there is none: zeros, to see what comes of it."""
    return x.select(dim, i) if count > 0 else x.sum(dim)


# ---- Trees of tuples, lists and dicts ------------------------------------------------------------

_DIFFERENT = object()  # of trees that are not alike


def _is_tree(value):
    return isinstance(value, (tuple, list, dict))


def _same_for_all(dim, tree):
    """The dimension for each tensor of a tree."""
    if isinstance(tree, dict):
        return {key: _same_for_all(dim, each) for key, each in tree.items()}
    return [_same_for_all(dim, each) for each in tree] if _is_tree(tree) else dim


def _spread(dims, tree):
    """The same for dimensions that are given for parts of the tree, each for all below it."""
    if dims is None or isinstance(dims, int):
        return _same_for_all(dims, tree)
    if not _is_tree(tree) or isinstance(dims, dict) != isinstance(tree, dict) or len(dims) != len(tree):
        return _DIFFERENT
    if isinstance(tree, dict):
        found = {key: _spread(dims[key], each) if key in dims else _DIFFERENT for key, each in tree.items()}
        return _DIFFERENT if any(each is _DIFFERENT for each in found.values()) else found
    found = [_spread(dim, each) for dim, each in zip(dims, tree)]
    return _DIFFERENT if any(each is _DIFFERENT for each in found) else found


def _with_dims(function, tree, dims):
    """The tree with what the function makes of each leaf and its dimension."""
    if isinstance(tree, dict):
        made = {key: _with_dims(function, each, dims[key]) for key, each in tree.items()}
        return OrderedDict(made) if isinstance(tree, OrderedDict) else made
    if not _is_tree(tree):
        return function(tree, dims)
    made = [_with_dims(function, each, dim) for each, dim in zip(tree, dims)]
    return type(tree)(*made) if hasattr(tree, "_make") else type(tree)(made)


def _leaves(tree):
    if not _is_tree(tree):
        return [tree]
    return [leaf for each in (tree.values() if isinstance(tree, dict) else tree) for leaf in _leaves(each)]

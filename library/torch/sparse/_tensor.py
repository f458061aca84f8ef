"""The class of sparse tensors: the places of the elements that are kept, and their values.

    s._places         int64, of shape (sparse dimensions, elements)
    s._kept           the values, of shape (elements, *dense dimensions)
    s._coalesced      whether the places are in order, each once

What is kept are two plain tensors, so gradients, graphs and kernels are those of plain operators. What is here
says what a sparse tensor is; what is computed with it is in `_operations`, whose functions `torch.sparse` adds to
the class as methods.
"""
import torch
from torch import _native
from torch._layouts import sparse_coo


def _inner_text(tensor, indent):
    """A tensor's text between its brackets, whose lines begin at a column."""
    if tensor.numel() == 0:
        return f"[], size={tuple(tensor.shape)}"
    return _native.elements_text(tensor.detach(), indent)


class Tensor:
    """A sparse tensor; it counts as a `torch.Tensor`."""
    __module__ = "torch"
    __counts_as__ = (torch.Tensor,)
    __calls_go_to__ = "torch.sparse"
    __array_priority__ = 1000
    layout = sparse_coo
    is_sparse = True
    is_quantized = is_meta = is_sparse_csr = False

    def __init__(self, places, kept, shape, coalesced, made_by=None):
        self._places, self._kept, self._coalesced = places, kept, coalesced
        self.shape = torch.Size(shape)
        self._made_by = made_by

    # ---- What it is ----

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self):
        return len(self.shape)

    def sparse_dim(self):
        return self._places.size(0)

    def dense_dim(self):
        return self._kept.dim() - 1

    def numel(self):
        return self.shape.numel()

    nelement = numel

    def _nnz(self):
        return self._places.size(1)

    def is_coalesced(self):
        return self._coalesced

    @property
    def dtype(self):
        return self._kept.dtype

    @property
    def device(self):
        return self._kept.device

    @property
    def is_cuda(self):
        return self._kept.is_cuda

    @property
    def is_cpu(self):
        return self._kept.is_cpu

    def is_floating_point(self):
        return self._kept.is_floating_point()

    def is_complex(self):
        return False

    def element_size(self):
        return self._kept.element_size()

    # ---- What is kept ----

    def _indices(self):
        return self._places

    def _values(self):
        return self._kept

    def _of_coalesced(self, what, found):
        if not self._coalesced:
            raise RuntimeError(f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first")
        return found

    def indices(self):
        return self._of_coalesced("indices", self._places)

    def values(self):
        return self._of_coalesced("values", self._kept)

    # ---- Gradients ----

    @property
    def requires_grad(self):
        return self._kept.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self._kept.requires_grad = value

    def requires_grad_(self, requires_grad=True):
        self._kept.requires_grad_(requires_grad)
        return self

    @property
    def is_leaf(self):
        return self._kept.is_leaf

    @property
    def grad_fn(self):
        return self._kept.grad_fn

    @property
    def grad(self):
        found = self._kept.grad
        return None if found is None else Tensor(self._places, found, self.shape, self._coalesced).coalesce()

    @grad.setter
    def grad(self, value):
        self._kept.grad = None if value is None else value._kept

    # ---- Others ----

    def __len__(self):
        return self.shape[0]

    def __bool__(self):
        if self.numel() != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.to_dense())

    def __hash__(self):
        return id(self)

    def __reduce__(self):
        raise NotImplementedError("sparse tensors are not saved here: save `indices()`, `values()` and the shape")

    def numpy(self):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def tolist(self):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def __getattr__(self, name):
        """Methods that plain tensors have and sparse ones do not: a call says so."""
        if name.startswith("__") or not hasattr(torch.Tensor, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        from torch.sparse import call

        return lambda *args, **kwargs: call(name, self, *args, **kwargs)

    def __repr__(self):
        indent = " " * len("tensor(")
        places, kept = "tensor(indices=tensor(", "       values=tensor("
        lines = [f"{places}{_inner_text(self._places, len(places))}),",
                 f"{kept}{_inner_text(self._kept, len(kept))}),"]
        suffixes = [f"size={tuple(self.shape)}", f"nnz={self._nnz()}"]
        if self.dtype not in (torch.get_default_dtype(), torch.int64, torch.bool):
            suffixes.append(f"dtype={self.dtype}")
        suffixes.append("layout=torch.sparse_coo")
        if self._kept.grad_fn is not None:
            suffixes.append(f"grad_fn=<{self._made_by or self._kept.grad_fn.name()}>")
        elif self.requires_grad:
            suffixes.append("requires_grad=True")
        line = indent + suffixes[0]
        for suffix in suffixes[1:]:
            if len(line) + len(suffix) + 2 > _native.line_width():
                lines.append(line + ",")
                line = indent + suffix
            else:
                line += ", " + suffix
        return "\n".join([*lines, line]) + ")"

    __str__ = __repr__

"""`torch.sparse`: tensors of which only some elements are kept, by their places (`torch.sparse_coo`).

    s = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
    torch.sparse.mm(s, x)        s @ x, torch.spmm(s, x)
    s.to_dense()

`_tensor` holds the class, `_operations` what is computed with it. `call` is what C++ hands a call of `torch` to
that has a sparse tensor among its arguments (runtime/interpreter/complex_tensors.h).
"""
import torch
from torch.sparse import _operations
from torch.sparse._operations import (addmm, is_sparse, log_softmax, mm, softmax, spmm, sum, to_dense as _to_dense,
                                      to_sparse, to_sparse_coo)
from torch.sparse._tensor import Tensor

_METHODS = """coalesce to_dense to_sparse mul div neg add sub mm mv matmul addmm sum transpose t index_select select to
    clone detach""".split()
# Those that leave 0 as it is, so that they are of the values.
_OF_VALUES = """abs sqrt square sin tan asin atan sinh tanh asinh atanh sign sgn relu floor ceil trunc round expm1 log1p
    erf erfinv pow nan_to_num""".split()
_CONVERTED = "float double half bfloat16 long int bool cpu cuda type".split()
_SAME = {"multiply": "mul", "divide": "div", "true_divide": "div", "negative": "neg", "subtract": "sub", "dsmm": "mm",
         "swapaxes": "transpose", "absolute": "abs", "smm": "mm", "truediv": "div"}
FORMS = {name: getattr(_operations, name) for name in _METHODS}
FORMS.update({name: _operations.of_values(name) for name in _OF_VALUES})
FORMS.update({name: _operations.converted(name) for name in _CONVERTED})
FORMS.update({name: FORMS[same] for name, same in _SAME.items()})
for _name, _form in FORMS.items():
    setattr(Tensor, _name, _form)
Tensor.T = property(_operations.t)
Tensor.to_sparse_coo = to_sparse_coo
FORMS.update({"cat": _operations.cat, "concat": _operations.cat, "is_tensor": lambda obj: True,
              "stack": lambda tensors, dim=0: _operations.cat([_unsqueezed(each, dim) for each in tensors], dim)})
for _name, _form in (("add", _operations.add), ("sub", _operations.sub), ("mul", _operations.mul),
                     ("truediv", _operations.div), ("matmul", _operations.matmul)):
    setattr(Tensor, f"__{_name}__", _form)
    setattr(Tensor, f"__r{_name}__", lambda self, other, form=_form: form(other, self))
Tensor.__neg__ = _operations.neg
Tensor.__pow__ = FORMS["pow"]
Tensor.__getitem__ = _operations.getitem
torch._native.use_complex()


def _unsqueezed(s, dim):
    dim = dim % (s.dim() + 1)
    places = list(s._places)
    places.insert(dim, torch.zeros_like(s._places[0]))
    shape = list(s.shape)
    shape.insert(dim, 1)
    return Tensor(torch.stack(places), s._kept, shape, s._coalesced)


def call(name, *args, **kwargs):
    """A call of `torch.name`, or of that method of a plain tensor, with a sparse tensor among its arguments."""
    plain = name[2:-2] if name.startswith("__") else name
    form = FORMS.get(plain)
    if form is not None:
        return form(*args, **kwargs)
    raise NotImplementedError(
        f"Could not run 'aten::{plain}' with arguments from the 'SparseCPU' backend. This could be because the "
        "operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
        "custom build). `to_dense()` gives a tensor that has all operators.")


def to_dense(x, dtype=None, *, masked_grad=None):
    """A plain tensor of all elements."""
    if is_sparse(x):
        return _to_dense(x, dtype)
    return x if dtype is None else x.to(dtype)


def sparse_coo_tensor(indices, values=None, size=None, *, dtype=None, device=None, pin_memory=False,
                      requires_grad=False, check_invariants=None, is_coalesced=None):
    """A sparse tensor of values by their places; values at one place are added."""
    if values is None or size is None and isinstance(values, (tuple, torch.Size)) and not isinstance(indices, torch.Tensor):
        return _without_elements(indices, dtype, device)
    given = isinstance(values, torch.Tensor)
    places = torch.as_tensor(indices, dtype=torch.int64, device=device)
    kept = torch.as_tensor(values, dtype=dtype, device=device)
    places = places.reshape(0, kept.size(0)) if places.numel() == 0 and places.dim() < 2 else places
    if places.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    if kept.dim() == 0:
        kept = kept.expand(places.size(1))
    if places.size(1) != kept.size(0):
        raise RuntimeError(f"indices and values must have same nnz, but got nnz from indices: {places.size(1)}, nnz "
                           f"from values: {kept.size(0)}")
    if size is None:
        if places.numel() and int(places.min()) < 0:
            raise RuntimeError("found negative index " + str(int(places.min())) + " for dim 0")
        greatest = (places.amax(1) + 1).tolist() if places.size(1) else [0] * places.size(0)
        size = (*greatest, *kept.shape[1:])
    elif len(size) != places.size(0) + kept.dim() - 1:
        raise RuntimeError(f"number of dimensions must be sparse_dim ({places.size(0)}) + dense_dim ({kept.dim() - 1}), "
                           f"but got {len(size)}")
    elif check_invariants or check_invariants is None and places.size(1):
        _check_places(places, size)
    if requires_grad:
        kept = kept.detach().clone().requires_grad_()
    elif kept.requires_grad:
        kept = kept.view(kept.shape)  # a step of its own, as PyTorch's
    made_by = "SparseCooTensorWithDimsAndTensorsBackward0" if given else None
    return Tensor(places, kept, size, bool(is_coalesced), made_by)


def _without_elements(size, dtype, device):
    places = torch.zeros(len(size), 0, dtype=torch.int64, device=device)
    return Tensor(places, torch.zeros(0, dtype=dtype, device=device), size, False)


def _check_places(places, size):
    for dim, (row, most) in enumerate(zip(places, size)):
        if int(row.min()) < 0:
            raise RuntimeError(f"found negative index {int(row.min())} for dim {dim}")
        if int(row.max()) >= most:
            raise RuntimeError(f"size is inconsistent with indices: for dim {dim}, size is {most} but found index "
                               f"{int(row.max())}")


def _of_dtype(dtype):
    def make(indices, values, size=None, *, device=None):
        return sparse_coo_tensor(indices, values, size, dtype=dtype, device=device)

    return make


FloatTensor, DoubleTensor, LongTensor = _of_dtype(torch.float32), _of_dtype(torch.float64), _of_dtype(torch.int64)
IntTensor, HalfTensor = _of_dtype(torch.int32), _of_dtype(torch.float16)


def spdiags(diagonals, offsets, shape, layout=None):
    """A matrix whose diagonals are the rows of `diagonals`."""
    rows, columns, kept = [], [], []
    for row, offset in zip(diagonals.reshape(-1, diagonals.size(-1)), offsets.reshape(-1).tolist()):
        column = torch.arange(max(0, offset), min(shape[0] + offset, shape[1], row.size(0)))
        rows.append(column - offset)
        columns.append(column)
        kept.append(row[column])
    return Tensor(torch.stack([torch.cat(rows), torch.cat(columns)]), torch.cat(kept), shape, False)

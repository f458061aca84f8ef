"""Complex tensors: each is a view of one real tensor whose last dimension holds real and imaginary part.

    z = torch.view_as_complex(x)      x: (..., 2) of float32         z: (...) of complex64
    z * w                             z.real * w.real - z.imag * w.imag, and so on

So there is nothing complex below this folder: operators, gradients, graphs and kernels are those of real
tensors, and a product of two complex tensors is seen as four real ones that are fused. `z.real` and
`torch.view_as_real(z)` are views that can be written. Gradients follow PyTorch's convention by
themselves: that of a real loss is the pair of its derivatives.

`call` is what C++ hands a call of `torch` to that has something complex among its arguments
(runtime/interpreter/complex_tensors.h). Which file has which function is in the table below; the methods
of the class in `_tensor` are the same functions.
"""
from types import FunctionType

import torch
from torch._complex import _arithmetic, _creation, _functions, _natives, _products, _reductions, _shapes
from torch._complex._dtypes import complex32, complex64, complex128, dtype
from torch._complex._tensor import Parameter, Tensor, scalar_name

chalf, cfloat, cdouble = complex32, complex64, complex128

_NAMES = {
    _arithmetic: """add sub mul div pow neg reciprocal square eq ne rsub addcmul lerp isclose allclose equal""",
    _functions: """abs angle conj conj_physical resolve_conj is_conj real imag sgn exp expm1 log log2 log10 log1p
        sqrt rsqrt sin cos tan sinh cosh tanh sigmoid isfinite isnan isinf view_as_real view_as_complex complex
        polar where masked_fill clone detach alias nan_to_num""",
    _shapes: """view reshape permute transpose t unsqueeze squeeze expand expand_as flatten unflatten movedim swapaxes
        repeat tile roll flip narrow select diagonal diag chunk split unbind index_select contiguous
        broadcast_to view_as reshape_as ravel cat stack hstack vstack broadcast_tensors pad tril triu gather
        numel is_contiguous take_along_dim repeat_interleave adjoint masked_select""",
    _reductions: """sum mean prod cumsum norm vector_norm linalg_vector_norm var std count_nonzero any all""",
    _products: """matmul mm bmm mv dot vdot outer addmm baddbmm linear kron""",
    _creation: """zeros ones empty full rand randn zeros_like ones_like empty_like full_like rand_like randn_like
        tensor as_tensor eye linspace to type type_as new_zeros new_ones new_full new_empty new_tensor""",
    _natives: """run_backward Parameter is_tensor result_type promote_types is_nonzero""",
}
_SAME = {
    "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "truediv": "div",
    "negative": "neg", "absolute": "abs", "permute_copy": "permute", "swapdims": "swapaxes",
    "moveaxis": "movedim", "concat": "cat", "concatenate": "cat", "ger": "outer", "not_equal": "ne",
    "constant_pad_nd": "pad", "arccos": "acos",
}
FORMS = {name: getattr(module, name) for module, names in _NAMES.items() for name in names.split()}

# Functions of the tensor in front that are no methods.
_NO_METHODS = """complex polar view_as_real view_as_complex real imag cat stack hstack vstack broadcast_tensors pad
    equal vector_norm linalg_vector_norm zeros ones empty full rand randn zeros_like ones_like empty_like full_like
    rand_like randn_like tensor as_tensor eye linspace linear""".split()
for _module, _names in _NAMES.items():
    for _name in _names.split():
        if _module is not _natives and _name not in _NO_METHODS:
            setattr(Tensor, _name, FORMS[_name])
for _name, _same in _SAME.items():
    if _same in FORMS:
        FORMS[_name] = FORMS[_same]
        if _same not in _NO_METHODS:
            setattr(Tensor, _name, FORMS[_same])
Tensor.equal = FORMS["equal"]
torch._native.use_complex()


def _operands(args):
    for each in args:
        if isinstance(each, (list, tuple)):
            yield from _operands(each)
        elif isinstance(each, (Tensor, complex)):
            yield each


# PyTorch's words for some that take no complex tensors; {0} is the name of the dtype.
_REFUSED = {
    "floor": "floor is not supported for complex inputs", "ceil": "ceil is not supported for complex inputs",
    "trunc": "trunc is not supported for complex inputs", "relu": "clamp is not supported for complex types",
    "clamp": "clamp is not supported for complex types", "hardtanh": "clamp is not supported for complex types",
    "sign": "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
    "max": "\"max_all\" not implemented for '{0}'", "min": "\"min_all\" not implemented for '{0}'",
    "floor_divide": "\"div_floor_cpu\" not implemented for '{0}'",
    "round": "\"round_vml_cpu\" not implemented for '{0}'",
    "erf": "\"erf_vml_cpu\" not implemented for '{0}'",
}


def call(name, *args, **kwargs):
    """A call of `torch.name`, or of that method of a real tensor, with something complex among its arguments."""
    plain = name[2:-2] if name.startswith("__") else name
    form = FORMS.get(plain)
    if form is not None:
        return form(*args, **kwargs)
    first = args[0] if args else None
    if isinstance(first, Tensor) and plain.endswith("_") and plain in Tensor.__dict__:
        return getattr(first, plain)(*args[1:], **kwargs)
    given = [each for each in _operands((*args, *kwargs.values())) if isinstance(each, Tensor)]
    found = scalar_name(given[0].dtype) if given else "ComplexFloat"
    writes = plain.endswith("_") or plain != name and plain.startswith("i")
    if writes and isinstance(first, torch.Tensor) and not isinstance(first, Tensor):
        raise RuntimeError(f"result type {found} can't be cast to the desired output type "
                           f"{first.type().split('.')[-1][:-6]}")
    # What the library writes in operators of tensors is as good for complex ones.
    function = getattr(torch, plain, None) if given and plain == name else None
    if isinstance(function, FunctionType):
        return function(*args, **kwargs)
    place = first.device.type if isinstance(first, torch.Tensor) else "cpu"
    raise NotImplementedError(_REFUSED.get(plain, f"\"{plain}_{place}\" not implemented for '{{0}}'").format(found))

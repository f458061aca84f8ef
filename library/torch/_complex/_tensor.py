"""The class of complex tensors, over pairs of real numbers, and that of complex parameters.

    z._pairs          the real tensor, of shape (*z.shape, 2)
    wrap(pairs)       the complex tensor over it
    join(a, b)        a + bi of two real tensors
    parts(z)          its two real tensors, views

What is here says what a tensor is: sizes, dtype, place, history, items. The methods that compute are
functions of the other files, which `torch._complex` adds to the class.
"""
import torch
from torch import _native
from torch._complex._dtypes import of_real
from torch._layouts import strided

_SCALAR_NAMES = {"torch.complex32": "ComplexHalf", "torch.complex64": "ComplexFloat",
                 "torch.complex128": "ComplexDouble"}


def scalar_name(dtype):
    """A dtype as PyTorch's messages name it."""
    return _SCALAR_NAMES[repr(dtype)]


def wrap_dim(dim, rank):
    """A dimension counted from the front, of so many."""
    most = max(rank, 1)
    if not -most <= dim < most:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-most}, {most - 1}], "
                         f"but got {dim})")
    return dim + most if dim < 0 else dim


class Tensor:
    """A complex tensor; it counts as a `torch.Tensor`."""
    __module__ = "torch"
    __counts_as__ = (torch.Tensor,)
    __array_priority__ = 1000
    is_sparse = is_quantized = is_meta = False
    layout = strided

    def __init__(self, pairs):
        self._pairs = pairs

    # ---- What it is ----

    @property
    def shape(self):
        return self._pairs.shape[:-1]

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[wrap_dim(dim, self.dim())]

    def stride(self, dim=None):
        strides = tuple([each // 2 for each in self._pairs.stride()[:-1]])
        return strides if dim is None else strides[dim]

    def dim(self):
        return self._pairs.dim() - 1

    ndimension = dim

    @property
    def ndim(self):
        return self._pairs.dim() - 1

    def nelement(self):
        return self._pairs.numel() // 2

    @property
    def dtype(self):
        return of_real(self._pairs.dtype)

    @property
    def device(self):
        return self._pairs.device

    @property
    def itemsize(self):
        return self.dtype.itemsize

    def element_size(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self._pairs.nbytes

    @property
    def is_cpu(self):
        return self._pairs.is_cpu

    @property
    def is_cuda(self):
        return self._pairs.is_cuda

    def get_device(self):
        return self._pairs.get_device()

    def is_complex(self):
        return True

    def is_floating_point(self):
        return False

    def is_signed(self):
        return True

    def is_inference(self):
        return self._pairs.is_inference()

    def storage_offset(self):
        return self._pairs.storage_offset() // 2

    def data_ptr(self):
        return self._pairs.data_ptr()

    def __getattr__(self, name):
        """Methods that real tensors have and complex ones do not: a call says so."""
        if not hasattr(torch.Tensor, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        from torch._complex import call

        return lambda *args, **kwargs: call(name, self, *args, **kwargs)

    # ---- Its parts ----

    @property
    def real(self):
        return self._pairs.select(-1, 0)

    @real.setter
    def real(self, value):
        self._pairs.select(-1, 0)[...] = value

    @property
    def imag(self):
        return self._pairs.select(-1, 1)

    @imag.setter
    def imag(self, value):
        self._pairs.select(-1, 1)[...] = value

    @property
    def T(self):
        return self.permute(tuple(reversed(range(self.dim()))))

    @property
    def mT(self):
        return self.transpose(-2, -1)

    @property
    def mH(self):
        return self.transpose(-2, -1).conj()

    @property
    def H(self):
        return self.mH

    # ---- History ----

    @property
    def requires_grad(self):
        return self._pairs.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self._pairs.requires_grad = value

    def requires_grad_(self, requires_grad=True):
        self._pairs.requires_grad_(requires_grad)
        return self

    @property
    def grad(self):
        gradient = self._pairs.grad
        return None if gradient is None else Tensor(gradient)

    @grad.setter
    def grad(self, value):
        self._pairs.grad = None if value is None else value._pairs

    @property
    def grad_fn(self):
        return self._pairs.grad_fn

    @property
    def is_leaf(self):
        return self._pairs.is_leaf

    @property
    def data(self):
        return Tensor(self._pairs.data)

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise RuntimeError("a complex tensor takes no real one as its data: make a new tensor")
        self._pairs.data = value._pairs

    @property
    def _version(self):
        return self._pairs._version

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        torch.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self):
        self._pairs.retain_grad()

    @property
    def retains_grad(self):
        return self._pairs.retains_grad

    def register_hook(self, hook):
        def on_pairs(gradient):
            changed = hook(Tensor(gradient))
            return None if changed is None else changed._pairs

        return self._pairs.register_hook(on_pairs)

    def detach_(self):
        self._pairs.detach_()
        return self

    def _is_view(self):
        return self._pairs._is_view()

    # ---- Where it is ----

    def cuda(self, device=None, non_blocking=False):
        return self._moved(self._pairs.cuda(device, non_blocking))

    def cpu(self):
        return self._moved(self._pairs.cpu())

    def _moved(self, pairs):
        return self if pairs is self._pairs else Tensor(pairs)

    def pin_memory(self):
        return self._moved(self._pairs.pin_memory())

    def cfloat(self):
        return self.to(of_real(torch.float32))

    def cdouble(self):
        return self.to(of_real(torch.float64))

    # ---- As values of Python ----

    def item(self):
        if self.nelement() != 1:
            raise RuntimeError(f"a Tensor with {self.nelement()} elements cannot be converted to Scalar")
        real, imag = self._pairs.reshape(2).tolist()
        return complex(real, imag)

    def __complex__(self):
        return self.item()

    def tolist(self):
        return _numbers(self._pairs.tolist(), self.dim())

    def numpy(self, *, force=False):
        raise NotImplementedError("complex arrays of NumPy are not there: take z.real and z.imag, or "
                                  "torch.view_as_real(z)")

    def __array__(self, dtype=None):
        return self.numpy()

    def __bool__(self):
        if self.nelement() != 1:
            few = self.nelement() == 0
            raise RuntimeError(f"Boolean value of Tensor with {'no values' if few else 'more than one value'} is "
                               "ambiguous")
        return bool(self._pairs.ne(0).any())

    def __float__(self):
        raise RuntimeError("value cannot be converted to type double without overflow")

    def __int__(self):
        raise RuntimeError("value cannot be converted to type int64_t without overflow")

    def __len__(self):
        if self.dim() == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._pairs.shape[0]

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter([Tensor(each) for each in self._pairs.unbind(0)])

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return _native.complex_text(self._pairs)

    def __format__(self, spec):
        if self.dim() == 0 and not isinstance(self, Parameter):
            return format(self.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return repr(self)

    def __copy__(self):
        return type(self)(self._pairs.__copy__())

    def __deepcopy__(self, memo):
        made = type(self)(self._pairs.__deepcopy__(memo))
        memo[id(self)] = made
        return made

    def __reduce_ex__(self, protocol):
        from torch._reductions import of_complex

        return of_complex(self)

    # ---- Items ----

    def __getitem__(self, index):
        return Tensor(self._pairs[_with_pairs(self, index)])

    def __setitem__(self, index, value):
        index = _with_pairs(self, index)
        if isinstance(value, Tensor):
            value = value._pairs
        elif isinstance(value, torch.Tensor):
            value = torch.stack((value, torch.zeros_like(value)), -1)
        else:
            number = complex(value)
            value = torch.tensor([number.real, number.imag], dtype=self._pairs.dtype, device=self.device)
        self._pairs[index] = value

    # ---- In place ----

    def copy_(self, src, non_blocking=False):
        self[...] = src
        return self

    def fill_(self, value):
        self[...] = value
        return self

    def zero_(self):
        self._pairs.zero_()
        return self

    def normal_(self, mean=0, std=1, *, generator=None):
        if mean != 0:
            raise NotImplementedError("normal_() of a complex tensor takes the mean 0")
        self._pairs.normal_(0, std * 0.5 ** 0.5, generator=generator)
        return self

    def uniform_(self, a=0.0, b=1.0, *, generator=None):
        self._pairs.uniform_(a, b, generator=generator)
        return self


class Parameter(Tensor):
    """A complex tensor that a module learns; it counts as a `torch.nn.Parameter`."""
    __module__ = "torch.nn.parameter"
    __counts_as__ = (_native.Parameter,)


def wrap(pairs):
    return Tensor(pairs)


def is_complex(value):
    return isinstance(value, Tensor)


def parts(value):
    """Real and imaginary part of a tensor or a number; of what is real the second is None."""
    if isinstance(value, Tensor):
        return value._pairs.select(-1, 0), value._pairs.select(-1, 1)
    if isinstance(value, complex):
        return value.real, value.imag
    return value, None


def join(real, imag):
    """The complex tensor of two parts, of which one may be a number."""
    if not isinstance(real, torch.Tensor):
        real = torch.full_like(imag, real)
    if not isinstance(imag, torch.Tensor):
        real = real if real.is_floating_point() else real.to(torch.get_default_dtype())
        imag = torch.full_like(real, imag)
    pairs = torch._complex_pairs(real, imag)
    if of_real(pairs.dtype) is None:
        pairs = pairs.to(torch.float32 if pairs.is_floating_point() else torch.get_default_dtype())
    return Tensor(pairs)


def as_complex(value):
    """A tensor as a complex one."""
    return value if isinstance(value, Tensor) else join(value, 0.0)


def _numbers(items, depth):
    if depth == 0:
        return complex(*items)
    return [_numbers(each, depth - 1) for each in items]


def _with_pairs(tensor, index):
    """An index that takes the pairs whole."""
    listed = list(index) if isinstance(index, tuple) else [index]
    taken, open_ended = 0, False
    for each in listed:
        if each is Ellipsis:
            open_ended = True
        elif isinstance(each, torch.Tensor) and each.dtype in (torch.bool, torch.uint8):
            taken += each.dim()
        elif each is not None and not isinstance(each, bool):
            taken += 1
    if taken > tensor.dim():
        if tensor.dim() == 0:
            raise IndexError("invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                             "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number")
        raise IndexError(f"too many indices for tensor of dimension {tensor.dim()}")
    if not open_ended:
        listed.append(Ellipsis)
    listed.append(slice(None))
    return tuple(listed)

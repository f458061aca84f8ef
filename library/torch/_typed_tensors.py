"""The constructors that are named after a dtype, from before `torch.tensor` took one.

    torch.FloatTensor([[1, 2], [3, 4]])     of nested lists
    torch.LongTensor(2, 3)                  of sizes: what stands in it is not said
    isinstance(x, torch.FloatTensor)        by the dtype; every tensor's class is torch.Tensor
    x.type(torch.LongTensor)                a conversion, as by "torch.LongTensor"

`torch.cuda.FloatTensor` and so on are those of a GPU. `torch.Tensor(...)` is the same for the
default dtype, but takes a tensor of any; `x.new(...)` for the dtype and the device of `x`.
"""
import torch

_C_NAMES = {torch.float64: "double", torch.float32: "float", torch.float16: "c10::Half",
            torch.bfloat16: "c10::BFloat16", torch.int64: "long int", torch.int32: "int",
            torch.int16: "short int", torch.int8: "signed char", torch.uint8: "unsigned char",
            torch.bool: "bool"}


def made(dtype, given, named, home="cpu"):
    """What such a constructor gives; a dtype of None is the default one, and not looked for."""
    named, home = dict(named), torch.device(home)
    device = named.pop("device", None)
    if "size" in named:
        named["size"] = torch.Size(named["size"])
    data = [named.pop(name) for name in ("size", "data", "other") if name in named]
    if named or len(data) + len(given) > 1 and not _begins_with_int(given):
        raise TypeError(_no_such_form((*given, *data), named))
    if device is not None and torch.device(device).type != home.type:
        raise RuntimeError(f"legacy constructor expects device type: {home.type} but device type: "
                           f"{torch.device(device).type} was passed")
    given = (*given, *data)
    if not given or _begins_with_int(given) or isinstance(given[0], torch.Size):
        return torch.empty(_sizes(given), dtype=dtype or torch.get_default_dtype(), device=home)
    if isinstance(given[0], torch.Tensor):
        return _same(dtype, given[0], home)
    return _of_items(dtype or torch.get_default_dtype(), given[0], home)


def _begins_with_int(given):
    return len(given) > 0 and not isinstance(given[0], bool) and (
        isinstance(given[0], int) or len(given) > 1 and _is_whole(given[0]))


def _is_whole(value):
    return (isinstance(value, torch.Tensor) and value.dim() == 0
            and not value.is_floating_point())


def _sizes(given):
    if not given:
        return (0,)
    if isinstance(given[0], torch.Size):
        return given[0]
    for place, size in enumerate(given):
        if not isinstance(size, int) and not _is_whole(size):
            raise TypeError(f"new(): argument 'size' failed to unpack the object at pos {place + 1} "
                            f'with error "type must be tuple of ints,but got {type(size).__name__}"')
    return [int(size) for size in given]


def _options(dtype, device):
    return (f"TensorOptions(dtype={_C_NAMES[dtype]}, device={device}, layout=Strided, "
            "requires_grad=false (default), pinned_memory=false (default), "
            "memory_format=(nullopt))")


def _same(dtype, tensor, home):
    if dtype is not None and (tensor.dtype != dtype or tensor.device.type != home.type):
        raise TypeError(f"expected {_options(dtype, home)} "
                        f"(got {_options(tensor.dtype, tensor.device)})")
    return tensor[...]


def _of_items(dtype, items, home):
    if isinstance(items, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(items, (dict, set, frozenset)) or not hasattr(items, "__getitem__"):
        raise TypeError(f"new(): data must be a sequence (got {type(items).__name__})")
    return torch.tensor(items, dtype=dtype, device=home)


def _kind(value):
    name = type(value).__name__
    if isinstance(value, torch.Size):
        return "torch.Size"
    return f"torch.{name}" if isinstance(value, (torch.dtype, torch.device)) else name


def _kind_of_items(value):
    if not isinstance(value, (list, tuple)):
        return _kind(value)
    kinds = [_kind(each) for each in value]
    if isinstance(value, list):
        return f"list of [{', '.join(kinds)}]"
    return f"{_kind(value)} of ({', '.join(kinds)}{',' if len(kinds) == 1 else ''})"


def _no_such_form(given, named):
    texts = [_kind(value) for value in given]
    texts += [f"{name}={_kind(value)}" for name, value in named.items()]
    if named:
        why = "some of the keywords were incorrect: " + ", ".join(named)
    else:
        kinds = ", ".join([f"!{_kind_of_items(value)}!" for value in given])
        why = f"some of the arguments have invalid types: ({kinds})"
    return (f"new() received an invalid combination of arguments - got ({', '.join(texts)}), but "
            "expected one of:\n * (*, torch.device device = None)\n"
            f"      didn't match because {why}\n * (torch.Storage storage)\n * (Tensor other)\n"
            " * (tuple of ints size, *, torch.device device = None)\n"
            " * (object data, *, torch.device device = None)\n")


class _TypedTensor:
    is_cuda = False
    is_sparse = False
    dtype = None

    def __new__(cls, *given, **named):
        return made(cls.dtype, given, named, "cuda" if cls.is_cuda else "cpu")

    @classmethod
    def __instancecheck__(cls, value):
        return (isinstance(value, torch.Tensor) and value.dtype == cls.dtype
                and value.is_cuda == cls.is_cuda)


class DoubleTensor(_TypedTensor):
    dtype = torch.float64


class FloatTensor(_TypedTensor):
    dtype = torch.float32


class HalfTensor(_TypedTensor):
    dtype = torch.float16


class BFloat16Tensor(_TypedTensor):
    dtype = torch.bfloat16


class LongTensor(_TypedTensor):
    dtype = torch.int64


class IntTensor(_TypedTensor):
    dtype = torch.int32


class ShortTensor(_TypedTensor):
    dtype = torch.int16


class CharTensor(_TypedTensor):
    dtype = torch.int8


class ByteTensor(_TypedTensor):
    dtype = torch.uint8


class BoolTensor(_TypedTensor):
    dtype = torch.bool


TYPES = {kind.__name__: kind for kind in (
    DoubleTensor, FloatTensor, HalfTensor, BFloat16Tensor, LongTensor, IntTensor, ShortTensor,
    CharTensor, ByteTensor, BoolTensor)}
for _kind_of_tensor in TYPES.values():
    _kind_of_tensor.__module__ = "torch"


def of_gpu(name):
    """The constructor of that name in `torch.cuda`; None if there is none."""
    if name not in TYPES:
        return None

    class OfGPU(_TypedTensor):
        is_cuda = True
        dtype = TYPES[name].dtype

    OfGPU.__name__ = OfGPU.__qualname__ = name
    OfGPU.__module__ = "torch.cuda"
    return OfGPU


def set_default_tensor_type(t):
    """Its dtype is that of floats from now on."""
    if isinstance(t, str):
        module, _, name = t.rpartition(".")
        if module != "torch":
            raise ModuleNotFoundError(f"No module named '{module or name}'")
        t = TYPES.get(name)
    if not isinstance(t, type) or not issubclass(t, _TypedTensor):
        raise TypeError("invalid type object: only floating-point types are supported as the "
                        "default type")
    if not t.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    torch.set_default_dtype(t.dtype)

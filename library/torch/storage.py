"""The memory of a tensor, as checkpoints keep it: a flat tensor, and a class by its dtype.

    FloatStorage(flat)      what `torch.save` puts in a file once for all tensors that share it

    x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr()      whether they share it
"""
import _storage

import torch
from torch._typed_tensors import TYPES


class UntypedStorage:
    """The same as bytes."""

    def __init__(self, flat):
        self._flat = flat

    @property
    def device(self):
        return self._flat.device

    def data_ptr(self):
        return self._flat.data_ptr()

    def nbytes(self):
        return self._flat.numel() * self._flat.element_size()

    size = __len__ = nbytes

    def tolist(self):
        return list(self._flat.cpu().numpy().tobytes())

    def __getitem__(self, place):
        return self.tolist()[place]

    def __repr__(self):
        shown = "".join([f" {each}\n" for each in self.tolist()])
        return f"{shown}[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"


class TypedStorage:
    dtype = None
    pairs = False  # whether each two numbers are a complex one

    def __init__(self, flat):
        self.flat = flat

    @property
    def device(self):
        return self.flat.device

    def untyped(self):
        return UntypedStorage(self.flat)

    def data_ptr(self):
        return self.flat.data_ptr()

    def element_size(self):
        return self.flat.element_size()

    def nbytes(self):
        return self.flat.numel() * self.flat.element_size()

    def size(self):
        return self.flat.numel()

    __len__ = size

    def tolist(self):
        return self.flat.tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, place):
        if not isinstance(place, int):
            raise RuntimeError(f"can't index a {self._shown} with {type(place)}")
        return self.flat[place].item()

    def __setitem__(self, place, value):
        self.flat[place] = value

    _shown = "torch.storage.TypedStorage"

    def __repr__(self):
        shown = "".join([f" {each}\n" for each in self.tolist()])
        return f"{shown}[{self._shown}(dtype={self.dtype}, device={self.device}) of size {len(self)}]"

    @property
    def key(self):
        """Which memory it is."""
        return _storage.key(self.flat)

    def __reduce__(self):
        """In a pickle that has no memory beside it, the bytes of a checkpoint of it."""
        import io
        file = io.BytesIO()
        torch.save(self, file)
        return _load_from_bytes, (file.getvalue(),)


def _load_from_bytes(b):
    import io
    return torch.load(io.BytesIO(b), weights_only=False)


def storage_of(tensor):
    """The whole memory that a tensor shows a part of."""
    if tensor.is_complex():
        return OF_PAIRS[tensor._pairs.dtype](_storage.flat(tensor._pairs))
    return BY_DTYPE[tensor.dtype](_storage.flat(tensor))


def untyped_storage(tensor):
    """The whole memory that a tensor shows a part of, as bytes."""
    return UntypedStorage(_storage.flat(tensor))


def storage(tensor):
    """The same as numbers, which PyTorch warns of."""
    import warnings
    warnings.warn("TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only "
                  "storage class. This should only matter to you if you are using storages directly.  To access "
                  "UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()",
                  UserWarning, stacklevel=2)
    return storage_of(tensor)


BY_DTYPE = {kind.dtype: type(name.replace("Tensor", "Storage"), (TypedStorage,),
                             {"dtype": kind.dtype, "__module__": "torch"})
            for name, kind in TYPES.items()}
OF_PAIRS = {dtype: type(f"Complex{name}Storage", (TypedStorage,),
                        {"dtype": dtype, "pairs": True, "__module__": "torch"})
            for dtype, name in ((torch.float16, "Half"), (torch.float32, "Float"), (torch.float64, "Double"))}
KINDS = [*BY_DTYPE.values(), *OF_PAIRS.values()]
for _kind in KINDS:
    globals()[_kind.__name__] = _kind

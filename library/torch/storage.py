"""The memory of a tensor, as checkpoints keep it: a flat tensor, and a class by its dtype.

    FloatStorage(flat)      what `torch.save` puts in a file once for all tensors that share it
"""
import _storage

import torch
from torch._typed_tensors import TYPES


class TypedStorage:
    dtype = None
    pairs = False  # whether each two numbers are a complex one

    def __init__(self, flat):
        self.flat = flat

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


BY_DTYPE = {kind.dtype: type(name.replace("Tensor", "Storage"), (TypedStorage,),
                             {"dtype": kind.dtype, "__module__": "torch"})
            for name, kind in TYPES.items()}
OF_PAIRS = {dtype: type(f"Complex{name}Storage", (TypedStorage,),
                        {"dtype": dtype, "pairs": True, "__module__": "torch"})
            for dtype, name in ((torch.float16, "Half"), (torch.float32, "Float"), (torch.float64, "Double"))}
KINDS = [*BY_DTYPE.values(), *OF_PAIRS.values()]
for _kind in KINDS:
    globals()[_kind.__name__] = _kind

"""`torch.types`: annotations of devices, numbers and sizes."""
from builtins import bool as _bool, bytes as _bytes, complex as _complex, float as _float, int as _int
from builtins import str as _str
from typing import IO, Union

from torch import Size, Tensor, device as _device, dtype as _dtype

Number = Union[int, float, bool]
Device = Union[_device, str, int, None]
FileLike = Union[str, IO]
_Number = (int, float, bool)
_size = Union[Size, list[int], tuple[int, ...]]
_TensorOrTensors = Union[Tensor, tuple[Tensor, ...]]

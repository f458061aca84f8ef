"""`torch.nn.common_types`: annotations of sizes, of one number or one for each dimension."""
from typing import Optional, Union

from torch import Tensor

_size_any_t = Union[int, tuple[int, ...]]
_size_1_t = Union[int, tuple[int]]
_size_2_t = Union[int, tuple[int, int]]
_size_3_t = Union[int, tuple[int, int, int]]
_size_4_t = Union[int, tuple[int, int, int, int]]
_size_5_t = Union[int, tuple[int, int, int, int, int]]
_size_6_t = Union[int, tuple[int, int, int, int, int, int]]
_size_any_opt_t = Union[int, None, tuple[Optional[int], ...]]
_size_2_opt_t = Union[int, None, tuple[Optional[int], Optional[int]]]
_size_3_opt_t = Union[int, None, tuple[Optional[int], Optional[int], Optional[int]]]
_ratio_any_t = Union[float, tuple[float, ...]]
_ratio_2_t = Union[float, tuple[float, float]]
_ratio_3_t = Union[float, tuple[float, float, float]]
_tensor_list_t = Union[Tensor, tuple[Tensor, ...]]
_maybe_indices_t = Union[Tensor, tuple[Tensor, Tensor]]

"""`numpy.typing`: names that annotations use.

    import numpy.typing as npt

    def norm(x: npt.NDArray[np.float64]) -> float: ...
"""
from numpy._array import ndarray

ArrayLike = DTypeLike = object
NDArray = ndarray

"""As `numpy._core.multiarray`."""
from numpy._core.multiarray import _reconstruct, scalar

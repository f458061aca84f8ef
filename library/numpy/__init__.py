"""The part of NumPy that PyTorch's scripts use: arrays over the memory of tensors.

    import numpy as np

    a = np.arange(6.0).reshape(2, 3)
    a.mean(axis=0)                       # array([1.5, 2.5, 3.5])
    torch.from_numpy(a)                  # a tensor of the same memory

`_array` holds `ndarray`, `_values` what becomes one, `_scalars` what one element is, `_dtypes` which dtypes there are; every other
file a family of functions. A file is read when one of its names is first asked for, which this table
is for.
"""
import sys

from torch import _native

__version__ = "2.4.6"
pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
inf = float("inf")
nan = float("nan")
newaxis = None
little_endian = True

_NAMES = {
    "_array": "ndarray",
    "_values": "array asarray asanyarray ascontiguousarray asfortranarray",
    "_dtypes": "dtype result_type promote_types can_cast issubdtype iinfo finfo",
    "_scalars": "generic number integer signedinteger unsignedinteger inexact floating",
    "_ufuncs": """ufunc add subtract multiply divide true_divide floor_divide remainder mod fmod power pow
        float_power maximum minimum fmax fmin gcd lcm negative positive absolute abs fabs sign square reciprocal
        conjugate conj floor ceil trunc rint equal not_equal less less_equal greater greater_equal isnan isinf
        isfinite signbit logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor invert
        bitwise_not bitwise_invert left_shift bitwise_left_shift right_shift bitwise_right_shift arctan2 atan2
        hypot logaddexp logaddexp2 copysign heaviside ldexp arcsin asin arccos acos arctan atan arcsinh asinh
        arccosh acosh arctanh atanh deg2rad radians rad2deg degrees sqrt cbrt exp exp2 expm1 log log2 log10 log1p
        sin cos tan sinh cosh tanh divmod modf""",
    "_indexing": "_get _set",
    "_creation": """zeros ones empty full zeros_like ones_like empty_like full_like copy fromiter fromfunction
        arange linspace logspace geomspace eye identity diag diagflat tri tril triu tril_indices triu_indices vander
        meshgrid ix_ indices mgrid ogrid r_ c_""",
    "_attributes": "_flat _flags",
    "_shapes": """shape ndim size isscalar reshape ravel expand_dims squeeze atleast_1d
        atleast_2d atleast_3d broadcast_to broadcast_arrays broadcast_shapes transpose permute_dims matrix_transpose
        swapaxes moveaxis rollaxis flip flipud fliplr roll rot90 resize""",
    "_joining": """concatenate concat stack vstack row_stack hstack dstack column_stack block append insert delete
        array_split split hsplit vsplit dsplit unstack repeat tile pad""",
    "_reductions": """sum prod mean var std max min amax amin ptp argmax argmin any all count_nonzero cumsum cumprod
        diff""",
    "_nan": """nansum nanprod nancumsum nancumprod nanmax nanmin nanargmax nanargmin nanmean nanvar nanstd nanmedian
        nanquantile nanpercentile""",
    "_statistics": """median quantile percentile average cov corrcoef bincount histogram histogram_bin_edges
        histogram2d""",
    "_searching": """where select choose nonzero argwhere flatnonzero extract compress take take_along_axis
        put_along_axis diagonal fill_diagonal unravel_index ravel_multi_index sort argsort lexsort searchsorted
        digitize unique unique_values isin intersect1d union1d setdiff1d setxor1d""",
    "_rounding": "round around fix clip nan_to_num isposinf isneginf",
    "_comparing": """isclose allclose array_equal array_equiv shares_memory may_share_memory errstate seterr
        geterr""",
    "_products": "matmul dot vdot vecdot inner outer tensordot einsum kron cross trace",
    "_calculus": """interp trapezoid gradient polyval polyfit convolve correlate ediff1d ndindex ndenumerate
        apply_along_axis vectorize""",
    "_archives": "savez savez_compressed",
    "_files": "save load savetxt loadtxt genfromtxt frombuffer",
    "_mapped": "memmap fromfile",
    "_stored": "uint16 uint32",
    "_complex_arrays": "complex64 complex128 cfloat cdouble csingle angle real imag isrealobj iscomplexobj",
    "_printing": "array_repr array_str array2string set_printoptions get_printoptions printoptions",
    "_float_text": "format_float_positional format_float_scientific",
}
_FILES = {name: file for file, names in _NAMES.items() for name in names.split()}
_MODULES = ("linalg", "fft", "random", "testing", "typing", "_core", "core")


def _late(name):
    """What the module lacks: a name of one of its files, a scalar class, a module in it."""
    if name in _FILES:
        file = f"numpy.{_FILES[name]}"
        return getattr(sys.modules.get(file) or __import__(file, None, None, [name]), name)
    if name in _MODULES:
        return __import__(f"numpy.{name}", None, None, [name])
    if name.startswith("_"):
        return None  # a file, which the import statement finds
    if name in ("True_", "False_"):
        return getattr(__import__("numpy._scalars", None, None, [name]), name[:-1].upper())
    return __import__("numpy._scalars", None, None, [name]).BY_ALIAS.get(name)


_native.set_late_names(sys.modules[__name__], _late)

"""The calls of `eager_scan.py`: `CALLS` holds rows of a name, a function and the tensors that it is called with.

    ("hypot", torch.hypot, (x, y))        what PyTorch users call, on a size at which the work counts

Sizes are those of everyday use, thousands to millions of elements; `--small` makes them small enough that
all calls run in a second, to see that they do.
"""

import sys

import torch
import torch.nn.functional as F

SMALL = "--small" in sys.argv
torch.manual_seed(0)
CALLS = []


def size(full, small):
    return small if SMALL else full


def calls(tensors, functions, suffix=""):
    """Adds the functions by name, all of which are called with `tensors`."""
    for name, function in functions.items():
        CALLS.append((name + suffix, function, tensors))


ROWS, COLUMNS = size(256, 6), size(1024, 10)
x, y = torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)
positive = x.abs() + 0.1
unit = torch.rand(ROWS, COLUMNS) * 1.9 - 0.95
row, column = torch.randn(COLUMNS), torch.randn(ROWS, 1)
mask = x > 0
whole, short = (x * 100).long(), (x * 100).int()
places = torch.randint(0, COLUMNS, (ROWS, COLUMNS))
labels = torch.randint(0, COLUMNS, (ROWS,))
image = torch.randn(size(4, 1), size(16, 4), size(64, 8), size(64, 8))
square = torch.randn(size(512, 8), size(512, 8))
batch = torch.randn(size(16, 2), size(128, 8), size(128, 8))

# ---- functions of elements ---------------------------------------------------------------------

OF_ANY = {
    "exp": torch.exp, "exp2": torch.exp2, "expm1": torch.expm1, "sin": torch.sin, "cos": torch.cos,
    "tan": torch.tan, "atan": torch.atan, "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh,
    "asinh": torch.asinh, "sigmoid": torch.sigmoid, "erf": torch.erf, "erfc": torch.erfc, "abs": torch.abs,
    "floor": torch.floor, "round": torch.round, "frac": torch.frac, "sign": torch.sign, "square": torch.square,
    "relu": torch.relu, "silu": F.silu, "softplus": F.softplus, "elu": F.elu, "mish": F.mish,
    "leaky_relu": F.leaky_relu, "logsigmoid": F.logsigmoid, "hardswish": F.hardswish,
    "softsign": F.softsign, "selu": F.selu, "celu": F.celu, "tanhshrink": F.tanhshrink,
    "softshrink": F.softshrink, "i0": torch.i0, "i0e": torch.special.i0e, "i1": torch.special.i1,
    "i1e": torch.special.i1e, "sinc": torch.sinc, "nan_to_num": torch.nan_to_num, "clamp": lambda x: x.clamp(-1, 1),
    "ndtr": torch.special.ndtr, "log_ndtr": torch.special.log_ndtr,
    "square_power": lambda x: x**2, "cube": lambda x: x**3, "times_number": lambda x: x * 2, "isnan": torch.isnan,
    "isfinite": torch.isfinite, "deg2rad": torch.deg2rad, "masked": lambda x: torch.where(x > 0, x, 0.0),
}
OF_POSITIVE = {
    "log": torch.log, "log2": torch.log2, "log10": torch.log10, "log1p": torch.log1p, "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt, "reciprocal": torch.reciprocal, "lgamma": torch.lgamma, "digamma": torch.digamma,
    "polygamma": lambda x: torch.polygamma(1, x), "erfcx": torch.special.erfcx, "entr": torch.special.entr,
    "acosh": lambda x: torch.acosh(x + 1), "root_power": lambda x: x**0.5, "power": lambda x: x**0.3,
}
OF_UNIT = {"asin": torch.asin, "acos": torch.acos, "atanh": torch.atanh, "erfinv": torch.erfinv,
           "logit": lambda x: torch.logit((x + 1) / 2), "ndtri": lambda x: torch.special.ndtri((x + 1) / 2)}
OF_TWO = {
    "add": torch.add, "multiply": torch.mul, "divide": torch.div, "maximum": torch.maximum, "atan2": torch.atan2,
    "fmod": torch.fmod, "remainder": torch.remainder, "floor_divide": torch.floor_divide, "hypot": torch.hypot,
    "logaddexp": torch.logaddexp, "logaddexp2": torch.logaddexp2, "copysign": torch.copysign, "fmax": torch.fmax,
    "lerp": lambda x, y: torch.lerp(x, y, 0.3), "addcmul": lambda x, y: torch.addcmul(x, x, y),
    "xlogy": lambda x, y: torch.xlogy(x, y.abs()), "less": torch.lt, "isclose": torch.isclose,
    "power_of_tensor": lambda x, y: x.abs()**y, "heaviside": torch.heaviside, "nextafter": torch.nextafter,
    "ldexp": torch.ldexp,
}
for suffix, change in (("", lambda x: x), (".f64", torch.Tensor.double), (".t", torch.Tensor.t)):
    calls((change(x),), OF_ANY, suffix)
    calls((change(positive),), OF_POSITIVE, suffix)
    calls((change(unit),), OF_UNIT, suffix)
    calls((change(x), change(y)), OF_TWO, suffix)
calls((x, row), {"add_row": torch.add, "multiply_row": torch.mul})
calls((x, column), {"add_column": torch.add, "divide_column": torch.div})
calls((x, y.t().contiguous().t()), {"add_transposed": torch.add})
calls((mask,), {"not": torch.logical_not, "mask_sum": torch.sum, "any": lambda x: x.any(1), "nonzero": torch.nonzero,
                "count_nonzero": torch.count_nonzero})
calls((whole,), {"add.i64": lambda x: x + x, "divide.i64": lambda x: x // 7, "remainder.i64": lambda x: x % 7,
                 "sum.i64": torch.sum, "max.i64": lambda x: x.max(1), "to_float.i64": lambda x: x.float(),
                 "gcd.i64": lambda x: torch.gcd(x, x + 12), "cumsum.i64": lambda x: x.cumsum(1),
                 "sort.i64": lambda x: x.sort(1), "unique.i64": torch.unique,
                 "bincount.i64": lambda x: torch.bincount(x.flatten().abs())})
calls((short,), {"multiply.i32": lambda x: x * x, "to_float.i32": lambda x: x.float(), "sum.i32": torch.sum,
                 "shift.i32": lambda x: x << 2})
calls((x.bfloat16(),), {"add.bf16": lambda x: x + x, "exp.bf16": torch.exp, "sum.bf16": lambda x: x.sum(1),
                        "softmax.bf16": lambda x: x.softmax(1), "to_float.bf16": lambda x: x.float()})
calls((x,), {"to_int": lambda x: x.int(), "to_double": lambda x: x.double(), "to_bf16": lambda x: x.bfloat16(),
             "clone": torch.clone, "masked_fill": lambda x: x.masked_fill(mask, 0.0),
             "where": lambda x: torch.where(mask, x, y)})

# ---- reductions, scans, sorting ----------------------------------------------------------------

REDUCTIONS = {
    "sum": torch.sum, "sum_rows": lambda x: x.sum(1), "sum_columns": lambda x: x.sum(0), "mean": torch.mean,
    "var_rows": lambda x: x.var(1), "var_columns": lambda x: x.var(0), "std": torch.std,
    "amax_rows": lambda x: x.amax(1), "amax_columns": lambda x: x.amax(0), "max_rows": lambda x: x.max(1)[0],
    "max_columns": lambda x: x.max(0)[0], "max": torch.max, "argmax_rows": lambda x: x.argmax(1),
    "argmax_columns": lambda x: x.argmax(0), "prod_rows": lambda x: x.prod(1), "aminmax": lambda x: torch.aminmax(x)[0],
    "norm": torch.norm, "norm_rows": lambda x: x.norm(dim=1), "norm_columns": lambda x: x.norm(dim=0),
    "norm_1": lambda x: x.norm(1, dim=1), "norm_3": lambda x: x.norm(3, dim=1), "norm_inf": lambda x: x.norm(torch.inf, dim=1),
    "norm_0": lambda x: x.norm(0, dim=1), "norm_half": lambda x: x.norm(0.5, dim=1),
    "vector_norm": lambda x: torch.linalg.vector_norm(x, dim=1), "dist": lambda x: torch.dist(x, y),
    "logsumexp_rows": lambda x: x.logsumexp(1), "logsumexp_columns": lambda x: x.logsumexp(0),
    "nansum": torch.nansum, "nanmean": torch.nanmean, "softmax_rows": lambda x: x.softmax(1),
    "softmax_columns": lambda x: x.softmax(0), "log_softmax_rows": lambda x: x.log_softmax(1),
    "log_softmax_columns": lambda x: x.log_softmax(0), "cumsum_rows": lambda x: x.cumsum(1),
    "cumsum_columns": lambda x: x.cumsum(0), "cumprod_rows": lambda x: x.cumprod(1),
    "cummax_rows": lambda x: x.cummax(1)[0], "logcumsumexp": lambda x: x.logcumsumexp(1),
    "trapezoid": torch.trapezoid, "cumulative_trapezoid": torch.cumulative_trapezoid, "diff": torch.diff,
    "sort": lambda x: x.sort(1)[0], "argsort": lambda x: x.argsort(1), "topk": lambda x: x.topk(size(10, 3), 1)[0],
    "median": lambda x: x.median(1)[0], "kthvalue": lambda x: x.kthvalue(5, 1)[0],
    "quantile": lambda x: x.quantile(0.3, 1), "histc": lambda x: torch.histc(x, 100),
    "all_close": lambda x: torch.allclose(x, x), "equal": lambda x: torch.equal(x, x),
    "bucketize": lambda x: torch.bucketize(x, row.sort()[0]), "mode": lambda x: x.mode(1)[0],
}
calls((x,), REDUCTIONS)
calls((x.double(),), REDUCTIONS, ".f64")
for rows, columns in ((4096, 7), (4096, 49), (20000, 16)):
    each = torch.randn(size(rows, 5), columns)
    short_rows = {
        "sum": lambda x: x.sum(1), "amax": lambda x: x.amax(1), "max": lambda x: x.max(1)[0], "argmax": lambda x: x.argmax(1),
        "min": lambda x: x.min(1)[0], "softmax": lambda x: x.softmax(1), "var": lambda x: x.var(1), "prod": lambda x: x.prod(1),
        "norm": lambda x: x.norm(dim=1), "cumsum": lambda x: x.cumsum(1), "sort": lambda x: x.sort(1)[0],
        "logsumexp": lambda x: x.logsumexp(1), "normalize": lambda x: F.normalize(x, dim=1),
    }
    calls((each,), short_rows, f".{columns}")

# ---- transforms --------------------------------------------------------------------------------

for rows, columns in ((256, 64), (256, 1024), (256, 100), (64, 1000), (64, 257), (4, 65536)):
    each = torch.randn(size(rows, 3), size(columns, columns // 8 + 1))
    spectrum = torch.fft.fft(each)
    half = torch.fft.rfft(each)
    name = f".{rows}x{columns}"
    calls((each,), {"rfft": lambda x: torch.fft.rfft(x).abs(), "fft": lambda x: torch.fft.fft(x).abs(),
                    "fft_columns": lambda x: torch.fft.fft(x, dim=0).abs()}, name)
    calls((spectrum,), {"fft_complex": lambda x: torch.fft.fft(x).real, "ifft": lambda x: torch.fft.ifft(x).real}, name)
    calls((half,), {"irfft": torch.fft.irfft}, name)
calls((image,), {"fft2": lambda x: torch.fft.fft2(x).abs(), "rfft2": lambda x: torch.fft.rfft2(x).abs()})

# ---- products ----------------------------------------------------------------------------------

for suffix, change in (("", lambda x: x), (".f64", torch.Tensor.double)):
    calls((change(square),), {"mm": lambda m: m @ m, "mm_transposed": lambda m: m @ m.t(), "mv": lambda m: m @ m[0],
                              "inv": torch.linalg.inv, "det": torch.det,
                              "cholesky": lambda m: torch.linalg.cholesky(m @ m.t() + 512 * torch.eye(len(m), dtype=m.dtype))},
          suffix)
    calls((change(batch),), {"bmm": lambda b: b @ b, "einsum": lambda b: torch.einsum("bij,bkj->bik", b, b)}, suffix)
    calls((change(x), change(y)), {"linear": F.linear, "outer": lambda x, y: torch.outer(x[0], y[0]),
                                   "dot": lambda x, y: torch.dot(x.flatten(), y.flatten()),
                                   "cosine_similarity": F.cosine_similarity,
                                   "cdist": lambda x, y: torch.cdist(x[:, :64], y[:, :64]),
                                   "cdist_1": lambda x, y: torch.cdist(x[:, :64], y[:, :64], 1),
                                   "pairwise": F.pairwise_distance}, suffix)
calls((square[: size(128, 8), : size(128, 8)],), {"svd": lambda m: torch.linalg.svd(m)[1], "qr": lambda m: torch.linalg.qr(m)[1],
                                                  "eigh": lambda m: torch.linalg.eigh(m + m.t())[0],
                                                  "matrix_exp": torch.matrix_exp})

# ---- choosing, arranging -----------------------------------------------------------------------

calls((x,), {
    "gather": lambda x: x.gather(1, places), "scatter": lambda x: x.scatter(1, places, y),
    "scatter_add": lambda x: x.scatter_add(1, places, y), "index_rows": lambda x: x[labels % ROWS],
    "index_pairs": lambda x: x[labels % ROWS, labels], "take": lambda x: torch.take(x, places), "mask": lambda x: x[mask],
    "index_select": lambda x: x.index_select(1, labels), "tril": torch.tril, "flip": lambda x: x.flip(1),
    "roll": lambda x: x.roll(3, 1), "cat": lambda x: torch.cat([x, x], 1), "stack": lambda x: torch.stack([x, x], -1),
    "transpose_copy": lambda x: x.t().contiguous(), "repeat": lambda x: x.repeat(2, 2),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 1), "strided": lambda x: x[:, ::2].contiguous(),
    "windows": lambda x: x.unfold(1, 8, 4).contiguous(), "one_hot": lambda x: F.one_hot(labels, COLUMNS),
    "searchsorted": lambda x: torch.searchsorted(row.sort()[0], x), "diag": lambda x: torch.diag_embed(x[:, :16]),
    "triu": torch.triu, "rot90": lambda x: torch.rot90(x), "tolist": lambda x: x.tolist(),
})
calls((image,), {
    "permute_copy": lambda x: x.permute(0, 2, 3, 1).contiguous(), "pad": lambda x: F.pad(x, (1, 1, 1, 1)),
    "pad_reflect": lambda x: F.pad(x, (1, 1, 1, 1), "reflect"), "pad_replicate": lambda x: F.pad(x, (2, 2, 2, 2), "replicate"),
    "pad_circular": lambda x: F.pad(x, (1, 2, 2, 1), "circular"), "unfold": lambda x: F.unfold(x, 3),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x, 2), "interpolate": lambda x: F.interpolate(x, scale_factor=2),
    "bilinear": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
})
calls((x,), {"pad_reflect_1d": lambda x: F.pad(x, (3, 3), "reflect"), "pad_replicate_1d": lambda x: F.pad(x[None], (3, 3), "replicate")})

# ---- layers ------------------------------------------------------------------------------------

kernel = torch.randn(image.shape[1], image.shape[1], 3, 3)
calls((image,), {
    "max_pool": lambda x: F.max_pool2d(x, 2), "avg_pool": lambda x: F.avg_pool2d(x, 2),
    "adaptive_pool": lambda x: F.adaptive_avg_pool2d(x, 4), "softmax_channels": lambda x: x.softmax(1),
    "batch_norm": lambda x: F.batch_norm(x, None, None, training=True), "group_norm": lambda x: F.group_norm(x, 4),
    "mean_channels": lambda x: x.mean((0, 2, 3)), "mean_places": lambda x: x.mean((2, 3)),
})
calls((image, kernel), {"conv2d": lambda x, w: F.conv2d(x, w, padding=1)})
calls((x, y), {
    "layer_norm": lambda x, y: F.layer_norm(x, (COLUMNS,), y[0], y[1]), "rms_norm": lambda x, y: F.rms_norm(x, (COLUMNS,), y[0]),
    "cross_entropy": lambda x, y: F.cross_entropy(x, labels), "mse_loss": F.mse_loss, "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss, "kl_div": lambda x, y: F.kl_div(x.log_softmax(1), y.softmax(1)),
    "bce_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y.sigmoid()), "normalize": lambda x, y: F.normalize(x),
})
networks = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU, "rnn": torch.nn.RNN}
sequence = torch.randn(size(8, 2), size(32, 3), 16)
for name, module in networks.items():
    network = module(16, size(64, 4), batch_first=True)
    CALLS.append((name, lambda x, network=network: network(x)[0], (sequence,)))

# ---- new tensors -------------------------------------------------------------------------------

calls((), {
    "zeros": lambda: torch.zeros(ROWS, COLUMNS), "arange": lambda: torch.arange(ROWS * COLUMNS),
    "linspace": lambda: torch.linspace(0, 1, ROWS * COLUMNS), "rand": lambda: torch.rand(ROWS, COLUMNS),
    "randn": lambda: torch.randn(ROWS, COLUMNS), "randint": lambda: torch.randint(0, 10, (ROWS, COLUMNS)),
    "randperm": lambda: torch.randperm(ROWS * COLUMNS), "eye": lambda: torch.eye(COLUMNS),
    "dropout": lambda: F.dropout(x, 0.1), "bernoulli": lambda: torch.bernoulli(x.sigmoid()),
})

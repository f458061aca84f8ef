"""The products of matmul.py by NumPy's OpenBLAS (runs on CPython only).

    matmul_numpy.py [THREADS]
"""
import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = sys.argv[1] if len(sys.argv) > 1 else "1"

import numpy  # noqa: E402: OpenBLAS reads the variable when it is loaded
from timing import best, report  # noqa: E402

generator = numpy.random.default_rng(0)
for n in (256, 1024, 2048):
    a, b = (generator.standard_normal((n, n), dtype=numpy.float32) for _ in range(2))
    microseconds = best(lambda v: v[0] @ v[1], (a, b), 1.0)
    report(f"product/{n}", "numpy", 2.0 * n**3 / microseconds / 1e3, "GFLOP/s")

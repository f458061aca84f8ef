"""The part of rows.py that is compared with NumPy (runs on CPython only)."""

import numpy
from timing import best, report

x = numpy.random.default_rng(0).standard_normal((4096, 1024), dtype=numpy.float32)
report("sum_rows", "numpy", best(lambda x: x.sum(1), x))
report("sum_columns", "numpy", best(lambda x: x.sum(0), x))
report("sum_all", "numpy", best(lambda x: x.sum(), x))
report("argmax", "numpy", best(lambda x: x.argmax(-1), x))

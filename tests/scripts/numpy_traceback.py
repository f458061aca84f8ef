# A mistake in NumPy's operators is told where the script made it.
import numpy as np


def joined(a, b):
    return a * 2 + b


print(joined(np.ones(2), np.ones(1)))
print(joined(np.ones(2), np.ones(3)))

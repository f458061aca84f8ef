# Scalars: what they print, compute and refuse.
import warnings

import numpy as np

warnings.simplefilter("ignore")

a = np.array([1.,2.,3.])
f = np.array([1,2,3],dtype=np.float32)
i = np.array([1,2,3])
m = np.arange(12).reshape(3,4)
u = np.array([200,100],dtype=np.uint8)
b = np.array([True,False])
h = np.float16([1,2])
i8 = np.int8([100,1])


def shown(text):
    """An expression with what it gives, or what it raises."""
    try:
        result = eval(text)
        print(f"{text}  {type(result).__name__}: {result!r}")
    except Exception as error:
        print(f"{text}  {type(error).__name__}: {error}")


for expression in [
    'np.int8(100)+np.int8(100)',
    'np.int8(100)+200',
    'np.uint8(200)+np.uint8(100)',
    'np.float32(1)+np.int64(1)',
    'np.int32(1)+1.5',
    'np.int8(1)+1.5',
    'np.bool_(1)+1',
    'np.bool_(1)+1.5',
    'np.float16(1)+70000.0',
    'np.float64(1)/0',
    'np.int64(1)/0',
    'np.int64(1)//0',
    'np.int64(5)%0',
    'np.float32(5)%0',
    'np.int64(2**62)*4',
    'np.int64(3)**40',
    'np.int64(7)//np.int64(-2)',
    'np.int64(7)%np.int64(-2)',
    'np.float64(7)//-2',
    'np.float64(-7)%3',
    'divmod(i,2)',
    'np.float64',
    'np.int64',
    'np.bool_',
    "np.float64('1.5')",
    "np.int64('5')",
    'np.int64(5.7)',
    'np.int8(300)',
    'np.uint8(-1)',
    'np.float32(1e40)',
    'np.bool_(5)',
    'np.float32(0.1)',
    'np.float16(0.1)',
    'np.float64(0.1)',
    'np.float64(1e16)',
    'np.float32(1e16)',
    'np.float64(1e-5)',
    'np.float32(16777216)',
    'np.float64(123456789012345680)',
    "np.float64('nan')",
    'np.float64(-0.0)',
    'np.True_',
    'np.float64(1).shape',
    'np.int32(7).astype(float)',
    'np.float64(2.5).is_integer()',
    'np.int64(6).bit_count()',
    'np.int64(5).__index__()',
    'np.int_',
]:
    shown(expression)

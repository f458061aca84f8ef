# What axes are folded to.
import warnings

import numpy as np

warnings.simplefilter("ignore")

a = np.array([3.,1.,2.,np.nan,5.])
v = np.array([4.,1.,3.,2.])
m = np.arange(12.).reshape(3,4)
i = np.array([5,2,9,2,7])
b = np.array([True,False,True])
M = np.array([[4.,1,2],[1,3,0],[2,0,5]])
k = np.arange(24).reshape(2,3,4)
f = v.astype(np.float32)


def shown(text):
    """An expression with what it gives, or what it raises."""
    try:
        result = eval(text)
        print(f"{text}  {type(result).__name__}: {result!r}")
    except Exception as error:
        print(f"{text}  {type(error).__name__}: {error}")


for expression in [
    'np.cumsum(m,axis=1)',
    'np.cumprod([1,2,3])',
    'np.diff(v)',
    'np.diff(m,axis=0)',
    'np.diff(v,n=2)',
    'np.diff(i,prepend=0)',
    'np.diff(b)',
    'np.ptp(m,axis=1)',
    'np.any(m>10,axis=1)',
    'np.all(m>=0)',
    'np.max(m,axis=(0,1))',
    'np.max(a)',
    'np.min(k,axis=2)',
    'np.argmax(k,axis=1)',
    'np.argmin(v,keepdims=True)',
    'np.max(v,initial=10)',
    'np.sum(v,initial=5)',
    'np.sum(m,axis=-1,dtype=np.float32)',
    'np.prod(m+1,axis=0)',
    'np.mean(k,axis=(0,2))',
    'np.std(m,axis=1,keepdims=True)',
    'np.var(v,ddof=1)',
    'np.var([])',
    'np.sum(v,axis=1)',
    'np.argmax([])',
    'np.cumsum(f)',
]:
    shown(expression)

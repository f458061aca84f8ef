# New arrays.
import numpy as np

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
    'np.meshgrid([1,2],[3,4,5])',
    "np.meshgrid([1,2],[3,4],indexing='ij')",
    'np.mgrid[0:2,0:3]',
    'np.indices((2,2))',
    'np.tri(3)',
    'np.tril(M)',
    'np.triu(M,1)',
    'np.tril_indices(3)',
    'np.triu_indices(3,1)',
    'np.vander([1,2,3])',
    'np.logspace(0,2,3)',
    'np.geomspace(1,8,4)',
    'np.linspace(1,2,4,dtype=np.float32)',
    'np.linspace([0,1],[1,2],3)',
    'np.linspace(0,1,1)',
    'np.linspace(5,5,3)',
    'np.arange(1,2,0.25)',
    'np.arange(10,0,-3.)',
    'np.full((2,2),np.inf)',
    'np.full_like(i,2.7)',
    'np.zeros_like(m,dtype=int)',
    'np.identity(2)',
    'np.fromiter((x*x for x in range(4)),dtype=float)',
    'np.fromfunction(lambda x,y: x+y,(2,2))',
    "np.ones(3,dtype='bool')",
    'np.add(v,1,out=np.zeros(4))',
]:
    shown(expression)

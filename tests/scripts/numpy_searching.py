# Conditions, orders, sets and places.
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
    'np.digitize([0.5,1.5,3],[0,1,2])',
    'np.digitize([0.5,1.5,3],[3,2,1])',
    'np.searchsorted([1,2,3],[0,2,2.5,9])',
    "np.searchsorted([1,2,3],2,side='right')",
    'np.unique(i)',
    'np.unique(i,return_index=True,return_inverse=True,return_counts=True)',
    'np.unique(np.array([[1,2],[1,2],[0,5]]),axis=0)',
    'np.unique([[3,1],[1,3]],return_inverse=True)',
    'np.unique(b)',
    'np.sort(a)',
    'np.sort(m[::-1],axis=0)',
    'np.sort(m,axis=None)',
    'np.argsort(i)',
    'np.argsort(-i)',
    'np.argsort(m,axis=0)',
    'np.lexsort(([1,2,1],[3,3,1]))',
    'np.isin(i,[2,7])',
    'np.isin(i,[2,7],invert=True)',
    'np.intersect1d(i,[2,9,9])',
    'np.union1d(i,[1])',
    'np.setdiff1d(i,[2])',
    'np.setxor1d(i,[2,3])',
    'np.where(v>2)',
    'np.where(m>5,m,-1)',
    'np.where([True,False],1,2.5)',
    'np.where(b,f[:3],0.5)',
    'np.nonzero(m>8)',
    'np.argwhere(m>8)',
    'np.flatnonzero(v>1)',
    'np.select([v>3,v>1],[v,-v],default=9)',
    'np.choose([0,1,0],[[1,2,3],[4,5,6]])',
    'np.extract(v>2,v)',
    'np.compress([True,False,True],m,axis=0)',
    'np.take(v,[0,-1])',
    'np.take(m,[1],axis=1)',
    'np.take_along_axis(m,np.argsort(-m,axis=1),axis=1)',
    'np.diag(M)',
    'np.diag([1,2],k=1)',
    'np.diagonal(k)',
    'np.unravel_index(7,(3,4))',
    'np.unravel_index([1,11],(3,4))',
    'np.ravel_multi_index(([0,2],[1,3]),(3,4))',
    'np.count_nonzero(m>3)',
    'np.count_nonzero(m>3,axis=0)',
    'np.sum(m,where=m>3)',
    'np.linalg.eigvalsh(np.diag([1.,2,3]))',
    'np.linalg.slogdet(np.diag([1.,2,3]))',
    'np.atleast_1d(5)',
    'np.ediff1d([1,4,9])',
    'np.linalg.cond(np.diag([1.,10]))',
    'np.linalg.pinv(np.diag([1.,2]))',
]:
    shown(expression)

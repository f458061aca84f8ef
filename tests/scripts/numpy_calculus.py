# Interpolation, slopes, polynomials, convolutions, loops over places.
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
    'np.interp([0,1.5,9],[1,2,3],[10,20,30])',
    'np.interp(2.5,[1,2,3],[10,20,30])',
    'np.interp([0.5],[1,2],[3,4],left=-1,right=-2)',
    'np.trapezoid(v)',
    'np.trapezoid(v,[0,1,3,4])',
    'np.trapezoid(m,dx=0.5,axis=0)',
    'np.gradient(v)',
    'np.gradient(v,2.0)',
    'np.gradient(v,[0,1,3,4])',
    'np.gradient(m)',
    'np.gradient(m,axis=1)',
    'np.gradient(np.arange(5)**2,edge_order=2)',
    'np.polyval([1,2,3],2)',
    'np.polyval([1.,2,3],v)',
    'np.convolve([1,2,3],[0,1,0.5])',
    "np.convolve([1,2,3],[0,1,0.5],'same')",
    "np.convolve([1,2,3,4],[1,1],'valid')",
    'np.correlate([1,2,3],[0,1,0.5])',
    "np.correlate([1,2,3],[0,1,0.5],'full')",
    'list(np.ndenumerate(np.array([[1,2],[3,4]])))',
    'list(np.ndindex(2,2))',
    'np.apply_along_axis(lambda r: r.sum(),1,m)',
    'np.apply_along_axis(lambda r: r*2,0,m)',
    'np.vectorize(lambda x: x+1)(v)',
    'np.trapezoid([1])',
]:
    shown(expression)

# Statistics of arrays.
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
    'np.median(v)',
    'np.median(m,axis=0)',
    'np.median(a)',
    'np.median([1,2,3,4])',
    'np.median(f)',
    'np.percentile(v,[0,25,50,90])',
    'np.percentile(v,33)',
    'np.percentile(m,50,axis=1)',
    'np.percentile(m,[25,75],axis=0)',
    'np.quantile(v,0.3)',
    "np.quantile(v,0.3,method='lower')",
    "np.quantile(v,0.3,method='nearest')",
    'np.quantile(v,[0.1,0.9],keepdims=True)',
    'np.percentile(v,120)',
    'np.average(v,weights=[1,2,3,4])',
    'np.average(m,axis=1,weights=[1,2,3,4])',
    'np.average(m)',
    'np.cov(m)',
    'np.cov(v, [1,2,3,5])',
    'np.corrcoef(v,[1,2,3,5])',
    'np.corrcoef(m)',
    'np.bincount(i)',
    'np.bincount([0,1,1],weights=[.5,1,2])',
    'np.bincount([1],minlength=4)',
    'np.bincount([-1])',
    'np.histogram(v,bins=3)',
    'np.histogram(v,bins=[0,2,4])',
    'np.histogram(i)',
    'np.histogram(v,bins=4,range=(0,8))',
    'np.histogram(v,bins=2,density=True)',
    'np.histogram([1,1,1])',
    'np.histogram([])',
    'np.unique([1.5,np.nan,np.nan])',
    'np.nansum(a)',
    'np.nanmean(a)',
    'np.nanmax(a)',
    'np.nanmin(a)',
    'np.nanstd(a)',
    'np.nanmedian(a)',
    'np.nanargmax(a)',
    'np.nanpercentile(a,50)',
    'np.nanmean(np.array([[1,np.nan],[3,4]]),axis=0)',
    'np.nan_to_num([np.nan,np.inf,1])',
    'np.isclose([1,np.nan],[1+1e-9,np.nan])',
    'np.isclose([1,np.nan],[1,np.nan],equal_nan=True)',
    'np.sign([-2.5,np.nan])',
    'np.array_equal([np.nan],[np.nan])',
    'np.histogram2d([0,1,1],[0,1,1],bins=2)',
]:
    shown(expression)

# Universal functions, comparisons, dtypes.
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
    'np.clip(v,1.5,3)',
    'np.clip(i,None,5)',
    'np.clip(i,3,None)',
    'v.clip(max=2)',
    'np.round(v/3,2)',
    'np.round(f/3,2)',
    'np.round(-2.5)',
    'np.round(1234.5678,-2)',
    'np.rint(v/2)',
    'np.fix([-1.5,1.5])',
    'np.allclose(v,v+1e-9)',
    'np.array_equal(v,v)',
    'np.maximum.accumulate([1,3,2,5,4])',
    'np.add.reduce(m)',
    'np.multiply.reduce(v)',
    'np.add.accumulate(i)',
    'np.subtract.outer([1,2],[3,4])',
    'np.logical_and([1,0],[1,1])',
    'np.logical_not([0,2.5])',
    'np.logical_xor(b,True)',
    'np.bitwise_and(i,3)',
    'np.invert(i)',
    'np.left_shift(1,[1,2,3])',
    'np.hypot(3,4)',
    'np.arctan2(1.,1)',
    'np.deg2rad(180)',
    'np.degrees(np.pi)',
    'np.sign([-2,0,3])',
    'np.power(2,[1,2,3])',
    'np.power([2.,3],0.5)',
    'np.float_power(2,3)',
    'np.mod(-7,3)',
    'np.fmod(-7,3)',
    'np.remainder([-7.5,7.5],2)',
    'np.divmod(-7,2)',
    'np.modf([1.5,-2.25])',
    'np.reciprocal([2.,4])',
    'np.square(i)',
    'np.gcd(12,[8,9])',
    'np.lcm(4,6)',
    'np.logaddexp(1.,2.)',
    'np.expm1(1e-10)',
    'np.copysign(1,-0.)',
    'np.signbit([-1.,1])',
    'np.isinf([np.inf,1])',
    'np.isfinite(a)',
    'np.fmax(a,2)',
    'np.maximum(a,2)',
    'np.heaviside([-1,0,1],0.5)',
    'np.absolute(i-5)',
    'np.issubdtype(np.float32,np.floating)',
    'np.issubdtype(np.int64,float)',
    'np.finfo(np.float32).max',
    "np.iinfo('int16').min",
    'np.add(1,2,3,4)',
    'np.sqrt()',
    "np.exp('a')",
    'np.array(v,copy=False)',
    'np.asarray(v) is v',
    'np.allclose([1,2],[1,2,3])',
    'np.array([0.1]*10,dtype=np.float32).sum()',
    'np.isneginf([-np.inf])',
]:
    shown(expression)

# Operators, in which dtype, and what they refuse.
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
    'u+100',
    'u+300',
    'u*2',
    'u+i8',
    'u+1.5',
    'u+u',
    '-u',
    '~u',
    'u-u-1',
    'b+b',
    'b*b',
    'b-b',
    '-b',
    'b+1',
    'b/b',
    'b//b',
    'b&True',
    '~b',
    'i/2',
    'i//2',
    'i%2',
    'i**2',
    'i**-1',
    '2**i',
    'i**0.5',
    'i<<1',
    'i&1',
    'a&1',
    'a<<1',
    'f+1',
    'f+a',
    'f+i',
    'f+np.int8(1)',
    'f+np.float64(1)',
    'f+1.5',
    'h+1',
    'h+f',
    'h+i8',
    'h+np.int16([1,2])',
    'i8+np.int32(1)',
    'a/0',
    'i/0',
    'i//0',
    'i%0',
    'a==[1,2,3]',
    'a==[1,2]',
    'a==None',
    "a!='x'",
    "i+'x'",
    'i@i',
    'i@m',
    'm@i',
    'm@m',
    'b.sum()',
    'b.mean()',
]:
    shown(expression)

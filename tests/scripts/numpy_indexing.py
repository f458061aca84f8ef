# Parts of arrays.
import numpy as np

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
    'm[1]',
    'm[1,2]',
    'm[5]',
    'm[0,9]',
    'm[0,0,0]',
    'm[-4]',
    'm[1.0]',
    "m['a']",
    'm[[0,1]]',
    'm[[0,1],[1,2]]',
    'm[:, [1,2]]',
    'm[m>5]',
    'm[m[:,0]>3]',
    'm[np.array([True,False])]',
    'm[None].shape',
    'm[...,0]',
    'm[...,...]',
    'm[1:3,::2]',
    'm[::-1]',
    'm[[5]]',
    'm[[0,1],[0,1,2]]',
    'm[True].shape',
    'm[np.newaxis,:,None].shape',
    'm[np.array([[0,1],[1,2]])].shape',
    'm[:,None,[0,1]].shape',
    'np.zeros((2,3,4,5))[0,:,[1,2]].shape',
    'np.zeros((2,3,4,5))[:,0,:,[1,2]].shape',
    'np.zeros((2,3,4,5))[:,[0,1],[1,2]].shape',
    'np.zeros((2,3,4,5))[[0,1],:,[1,2]].shape',
    'np.zeros((2,3,4,5))[:,[[0,1]],:,2].shape',
    'm[1:2.5]',
    'm[np.array([0.5])]',
    'm[[]]',
    'm[()]',
    'np.array(5)[()]',
    'np.array(5)[0]',
    'np.array(5)[None]',
    'len(np.array(5))',
    'iter(np.array(5))',
    'bool(a)',
    'bool(np.array([]))',
    'bool(np.array([1]))',
    'int(a)',
    'int(np.array([5]))',
    'float(np.array([5.5]))',
    'float(a)',
    '5 in i',
    'a in [1]',
]:
    shown(expression)

# Other shapes, stacks and splits.
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
    'np.roll(v,1)',
    'np.roll(m,1,axis=1)',
    'np.roll(m,(1,2),axis=(0,1))',
    'np.rot90(m)',
    'np.flip(m)',
    'np.flip(v)',
    'np.fliplr(m)',
    'np.flipud(m)',
    'np.moveaxis(k,0,-1).shape',
    'np.swapaxes(k,0,2).shape',
    'np.transpose(k,(1,0,2)).shape',
    'np.expand_dims(v,(0,2)).shape',
    'np.expand_dims(v,1).shape',
    'np.atleast_2d(v).shape',
    'np.atleast_3d(m).shape',
    'np.broadcast_to(v,(2,4))',
    'np.broadcast_to(v,(2,3))',
    'np.broadcast_arrays(v,m[:, :1][0])',
    'np.resize([1,2,3],(2,2))',
    'np.ndim(m)',
    'np.size(m,0)',
    'np.shape([[1,2]])',
    'np.broadcast_shapes((2,1),(3,))',
    'np.tile([1,2],3)',
    'np.tile([[1,2]],(2,2))',
    'np.repeat([1,2,3],2)',
    'np.repeat(m,2,axis=0)[:, :2]',
    'np.repeat([1,2,3],[0,1,2])',
    'np.hstack([v,[9]])',
    'np.hstack([m,m])[:, 3:6]',
    'np.dstack([v,v])',
    'np.column_stack([v,v])',
    'np.vstack((v,v))',
    'np.stack([v,v],axis=1)',
    'np.stack([v,v],axis=-1).shape',
    'np.concatenate([m,m],axis=1)[:, 3:6]',
    'np.concatenate(([1],[2.5]))',
    'np.concatenate([m,[1]])',
    'np.append(v,7)',
    'np.insert(v,1,9)',
    'np.delete(v,[0,2])',
    'np.delete(m,1,axis=0)',
    'np.split(m,[1,2])',
    'np.hsplit(m,2)',
    'np.vsplit(m,3)',
    'np.array_split(v,3)',
    'np.pad(v,1)',
    'np.pad(v,(1,2),constant_values=7)',
    'np.pad(m,((1,0),(0,1)))',
    "np.pad(v,2,mode='edge')",
    "np.pad(v,2,mode='reflect')",
    "np.pad(v,2,mode='wrap')",
    "np.pad(v,2,mode='symmetric')",
    'np.block([[np.eye(2),np.zeros((2,1))]])',
    'np.floor_divide(-7,2)',
    'np.r_[1,2,v]',
    'np.c_[v,v]',
]:
    shown(expression)

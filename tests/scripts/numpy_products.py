# Products and numpy.linalg.
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
    'np.outer(v,[1,2])',
    'np.inner(v,v)',
    'np.inner(m,m)',
    'np.dot(m,v)',
    'np.dot(m,m)',
    'np.vdot(m,m)',
    'np.matmul(M,M)',
    'np.matmul(k,k.transpose(0,2,1))',
    "np.einsum('ij,ij->i',m,m)",
    "np.einsum('ij->j',k[0])",
    "np.einsum('ii',M)",
    "np.einsum('ij,jk',m,m.T)",
    'np.tensordot(m,m,axes=([1],[1]))',
    'np.tensordot(k,k,axes=3)',
    'np.kron([1,2],[[1,0],[0,1]])',
    'np.cross([1,2,3],[4,5,6])',
    'np.trace(M)',
    'np.linalg.norm(v)',
    'np.linalg.norm(m,axis=1)',
    'np.linalg.norm(m)',
    'np.linalg.norm(v,1)',
    'np.linalg.norm(v,np.inf)',
    "np.linalg.norm(m,'fro')",
    'np.linalg.norm(m,1)',
    'np.linalg.norm([3,4])',
    'np.linalg.inv(np.array([[2.,0],[0,4]]))',
    'np.linalg.inv([[1,2],[2,4]])',
    'np.linalg.inv(m)',
    'np.linalg.inv(v)',
    'np.linalg.det(np.array([[2.,0],[0,4]]))',
    'np.linalg.solve(np.array([[2.,0],[0,4]]),[2,4])',
    'np.linalg.solve(M,[1,2])',
    'np.linalg.cholesky(np.array([[4.,2],[2,5]]))',
    'np.linalg.cholesky(-M)',
    'np.linalg.matrix_rank(m)',
    'np.linalg.matrix_power(np.array([[1,1],[0,1]]),5)',
    'np.linalg.lstsq(np.array([[1.,0],[0,2.],[0,0]]),np.array([1.,4,0]),rcond=None)',
]:
    shown(expression)

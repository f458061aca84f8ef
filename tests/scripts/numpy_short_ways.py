"""What NumPy's arrays do on their short ways: operands of one dtype, plain indices, float64s among themselves."""
import numpy as np
a=np.arange(12.).reshape(3,4)
for v in a[0]: 
    a[0]=a[0]+1; print(v)
i=np.array([2,0]); j=np.array([1,-1])
print(a[i],a[i,j],a[1,i],a[i,1],a[i[:,None],j])
b=a[i]; b[0]=-1; print(a[2])
a[i,j]=7; print(a); a[1,j]=np.array([5.,6.]); print(a); a[i]=np.zeros(4); print(a)
a[0]=9; a[1]=[1,2,3,4]; a[2]=np.array([3.]); print(a)
for f in (lambda: a[np.array([5])], lambda: a[1,np.array([9])], lambda: a[9], lambda: a[0,0,0], lambda: a[np.array([0]),1,2]):
    try: print(f())
    except IndexError as e: print(e)
def s1(): a[np.array([5])]=1.0
def s2(): a[1]=np.zeros(3)
def s3(): a[:,1]=np.zeros(2)
def s4(): a[np.array([0,1])]=np.zeros((3,4))
def s5(): a[5]=0.0
def s6(): a[0:2,9]=0.0
for f in (s1,s2,s3,s4,s5,s6):
    try: f(); print('ok')
    except (IndexError,ValueError) as e: print(type(e).__name__,e)
a[1:]=a[:-1]; print(a)
a[::2]=a[0]; print(a[::2,1:3], a[5:2].shape, a[-2:,-1])
c=np.arange(5); c[c]=c[::-1]; print(c); c[np.array([0,0,0])]=np.array([1,2,3]); print(c)
s=np.float64(2.0)
print(s*a[0], a[0]*s, s-a[0], s/a[1], s>a[0], s*c, s*np.float32(2), s+np.ones(2,np.float32), np.float64(3)**2, 1/np.float64(4), 3-s, s==2, s!=2.0, s//3, s%3, -s)

x=np.ones(3); y=x; x+=1; x*=2.0; x/=4; x-=np.array([1.,2.,3.]); print(x,y is x)
z=np.arange(3); z+=1; z*=2; print(z)
for f in ("z+=0.5","z/=2","x+=np.ones(4)","x+=np.ones((2,3))"):
    try: exec(f); print(z,x)
    except Exception as e: print(type(e).__name__,e)
v=np.arange(6.); v[1:]+=v[:-1]; print(v); v[::2]*=10; print(v)
print(np.add(1,2), np.add(np.ones(2),1), np.maximum(np.ones(2),0.5), np.maximum(np.arange(3),1), np.ones(2,bool)&np.array([True,False]), ~np.array([True]), np.logical_and(np.ones(2,bool),np.zeros(2,bool)))
print(np.ones(2)+True, np.arange(2)+True, np.arange(2)*2.5, np.ones(2,np.float32)*2.5, (np.ones(2,np.float32)*np.float64(2.5)).dtype, np.arange(3)+2**40, np.arange(3)**2, np.arange(3.)**2, 2**np.arange(3), 2.0**np.arange(3))
print(np.array(3.)+1, np.array(3.)*np.array(2.), type(np.array(3.)+1))

# `where` and the makers of arrays.
x=np.arange(4.); i=np.arange(4)
print(np.where(x>1,x,0.0),np.where(x>1,x,0),np.where(x>1,1.0,-1.0),np.where(x>1,1,-1),np.where(i>1,i,2.5),np.where(i>1,i,7),np.where(x>1,x,i),np.where(x[:,None]>1,x,x[:,None]).shape,np.where(x>1,np.float32(1),x.astype(np.float32)).dtype, np.where(x>1,x.astype(np.float32),0.5).dtype, np.where(True,x,0.), np.where(x>1)[0])
try: np.where(x>1,x,np.ones(3))
except ValueError as e: print(e)
print(np.zeros(3),np.zeros((2,)),np.zeros(0).shape,np.ones(2,int),np.empty(2).shape,np.zeros(2,complex),np.full(2,1.5),np.zeros(np.int64(2)), np.zeros([2,1]).shape)
for f in (lambda: np.zeros(-1), lambda: np.zeros(2.0), lambda: np.zeros((2,-1))):
    try: f()
    except Exception as e: print(type(e).__name__,e)

# tolerance: 1e-4
# Pooling with ceil_mode: windows that reach beyond the padding.
import torch, torch.nn as nn, torch.nn.functional as F
def attempt(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
torch.manual_seed(2)
for n in (5, 6, 8):
    x = torch.randn(1,2,n,n+1)
    for k,s,p in ((2,2,0),(3,2,1),(3,2,0),((2,3),(2,2),(0,1)),(2,3,1),(3,3,1)):
        for ceil in (False,True):
            y = x.clone().requires_grad_()
            a = F.max_pool2d(y,k,s,p,ceil_mode=ceil); b = F.avg_pool2d(y,k,s,p,ceil_mode=ceil); c = F.avg_pool2d(y,k,s,p,ceil_mode=ceil,count_include_pad=False); d = F.avg_pool2d(y,k,s,p,ceil,True,3)
            print(n,k,s,p,ceil,a.shape,a.sum().detach(),b.sum().detach(),c.sum().detach(),d.sum().detach())
            (a.sum()+b.sum()+c.sum()+d.sum()).backward(); print(y.grad.sum(), y.grad[0,0,-1])
    print(F.max_pool2d(x,3,2,dilation=2,ceil_mode=True).detach().sum(), F.max_pool1d(x[0],2,ceil_mode=True).sum(), F.avg_pool1d(x[0],3,ceil_mode=True).sum())
attempt(lambda: nn.MaxPool2d(3,2,ceil_mode=True)(torch.arange(16.).reshape(1,4,4)))
attempt(lambda: nn.AvgPool2d(3,2,ceil_mode=True)(torch.arange(16.).reshape(1,4,4)))
attempt(lambda: F.avg_pool2d(torch.arange(16).reshape(1,4,4),3,2,1,True))
attempt(lambda: F.max_pool2d(torch.arange(16).reshape(1,4,4),3,2,1,1,True))

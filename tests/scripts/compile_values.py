# Values of tensors that a compiled function looks at: never those of an earlier call.
# option: --compile
import torch
def f(x): return x.item()
print(f(torch.tensor(1.5)), f(torch.tensor(2.5)))
def g(x): return x.tolist(), float(x[0]), bool(x[1]), int(x[2]), [v for v in x]
print(g(torch.tensor([1.,2,3])), g(torch.tensor([4.,5,6])))
def h(x):
    if x: return 1
    return 2
print(h(torch.tensor(1)), h(torch.tensor(0)))
def k(x): return f"{x}", str(x), repr(x), format(x), x == x
print(k(torch.tensor(1)), k(torch.tensor(0)))
def it(x): return [v.item() for v in x]
print(it(torch.tensor([1,2])), it(torch.tensor([3,4])))
def ix(x, l): return l[x], range(x), torch.zeros(x)
print(ix(torch.tensor(1), [1,2,3]), ix(torch.tensor(2), [1,2,3]))

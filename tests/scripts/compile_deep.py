# A long chain of attributes, and deep nesting, from outside of what is compiled.
# option: --compile
import torch
class N: pass
head = None
for i in range(20000):
    n = N(); n.next = head; n.v = i; head = n

def f(x):
    n = head
    t = 0
    while n is not None:
        t = t + n.v
        n = n.next
    return x + t
print(f(torch.ones(1)))
print(f(torch.ones(1)))

deep = [1.0]
for _ in range(3000):
    deep = [deep]


def g(x):
    return x + len(deep), deep == deep, [len(each) for each in deep]


print(g(torch.ones(1)), g(torch.ones(2)))

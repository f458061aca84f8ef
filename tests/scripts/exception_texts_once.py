# The text of an exception that nobody catches is asked for once, descriptors that only write leave
# reading to what the object has, and hooks that return something else say so.
import torch


class WritesOnly:
    def __set__(self, owner, value):
        owner.__dict__["a"] = value * 2


class DeletesOnly:
    def __delete__(self, owner):
        print("delete")


class Owner:
    a = WritesOnly()
    b = DeletesOnly()


owner = Owner()
print(type(owner.a).__name__, type(owner.b).__name__)
owner.a = 4
owner.__dict__["b"] = 7
print(owner.a, owner.b)
del owner.b
print(owner.b, vars(owner))


@torch.compile(backend="eager")
def read(x):
    return x * owner.a + owner.b


for i in range(3):
    owner.a = i
    print(read(torch.ones(2)))


def attempt(hook):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(hook)
    try:
        (x * 2).sum().backward()
        print("no error", x.grad)
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__, error)


attempt(lambda p: 5)
attempt(lambda p: torch.ones(2))
attempt(lambda p: p.detach())
attempt(lambda p: p)

w = torch.ones(3, requires_grad=True)
loss = (w * w).sum()
other = w.data.clone()
other.mul_(3)
w.data = other
loss.backward()
print(w.grad, w._version)
x = torch.ones(3)
x.add_(1)
x.data = torch.zeros(3)
print(x._version)
x.add_(1)
y = torch.ones(3)
y.data = x
y.add_(1)
print(x._version, y._version, x, y)


class Loud(Exception):
    def __str__(self):
        print("asked")
        return "text"


raise Loud()

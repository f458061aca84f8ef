# Constructors by dtype: what they take and refuse, `isinstance`, `type`, `new`, compiled.
import warnings

import torch

warnings.simplefilter("ignore")


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


T = torch
for n in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool"):
    C = getattr(T, n + "Tensor")
    attempt(n, lambda: C([1, 2, 3]))
    attempt(n, lambda: C(2, 3).shape)
    attempt(n, lambda: C(C([1])))
    attempt(n, lambda: C(torch.tensor([1.0])))
    attempt(n, lambda: isinstance(C([1]), C))
    attempt(n, lambda: isinstance(T.ones(2), C))
    attempt(n, lambda: T.tensor([1.7, 2]).type(C))
    attempt(n, lambda: T.tensor([1.7, 2]).type("torch." + n + "Tensor"))
    attempt(n, lambda: T.tensor([1.7, 2]).type(C).type())
for n in ("Float", "Long", "Bool"):
    C = getattr(T, n + "Tensor")
    attempt(n, lambda: C([[1, 0], [3, 4]]))
    attempt(n, lambda: C([1.5, 0.0]))
    attempt(n, lambda: C([True, False]))
    attempt(n, lambda: C((1, 2)))
    attempt(n, lambda: C())
    attempt(n, lambda: C(2).shape)
    attempt(n, lambda: C(torch.Size([2, 3])).shape)
    attempt(n, lambda: C(torch.tensor([1])))
    attempt(n, lambda: C([]))
    attempt(n, lambda: C(1.5))
    attempt(n, lambda: C("a"))
    attempt(n, lambda: C(["a"]))
    attempt(n, lambda: C(True))
    attempt(n, lambda: C(2, 2.5))
    attempt(n, lambda: C(-1))
    attempt(n, lambda: C(0))
    attempt(n, lambda: C(2, [1]))
    attempt(n, lambda: C(None))
    attempt(n, lambda: C(range(3)))
    attempt(n, lambda: C([torch.tensor(1), torch.tensor(2)]))
    attempt(n, lambda: C([[1], [1, 2]]))
    attempt(n, lambda: C(data=[1]))
    attempt(n, lambda: C([1], device="cpu"))
    attempt(n, lambda: C(2, device="cpu").shape)
    attempt(n, lambda: C([1], dtype=torch.float32))
    attempt(n, lambda: C([1], requires_grad=True))
    attempt(n, lambda: C({1: 2}))
    attempt(n, lambda: C({1, 2}))
    attempt(n, lambda: C(torch.tensor(3)))
    attempt(n, lambda: isinstance(3, C))
    attempt(n, lambda: type(C([1])))
    attempt(n, lambda: C is type(C([1])))
attempt("sub", lambda: issubclass(T.FloatTensor, T.Tensor))
attempt("eq", lambda: T.FloatTensor == T.FloatTensor)
attempt("in", lambda: isinstance(T.ones(2), (int, T.FloatTensor)))
attempt("param", lambda: isinstance(torch.nn.Parameter(T.ones(2)), T.FloatTensor))
attempt("dict", lambda: {T.FloatTensor: 1}[T.FloatTensor])
attempt("badtype", lambda: T.ones(2).type("torch.FooTensor"))
attempt("badtype", lambda: T.ones(2).type("FloatTensor"))
attempt("badtype", lambda: T.ones(2).type(int))
attempt("badtype", lambda: T.ones(2).type(float))
attempt("badtype", lambda: T.ones(2).type(3))
attempt("tensortype", lambda: T.ones(2, dtype=T.int64).type(T.Tensor))
attempt("tensortype", lambda: T.ones(2, dtype=T.int64).type("torch.Tensor"))
attempt("same", lambda: (lambda x: x.type(T.FloatTensor) is x)(T.ones(2)))
attempt("dt", lambda: T.ones(2).type(T.LongTensor, non_blocking=True))
attempt("T", lambda: T.Tensor([1, 2]))
attempt("T", lambda: T.Tensor(2.5))
attempt("T", lambda: T.Tensor("a"))
attempt("T", lambda: T.Tensor(torch.tensor([1])))
attempt("T", lambda: T.Tensor(torch.Size([2, 3])).shape)
attempt("T", lambda: T.Tensor((2, 3)))
attempt("T", lambda: T.Tensor(-1))
attempt("T", lambda: T.Tensor(2, [1]))
attempt("T", lambda: T.Tensor(None))
attempt("T", lambda: T.Tensor(2, device="cpu").shape)
attempt("T", lambda: T.Tensor([2], dtype=T.int64).shape)
attempt("T", lambda: T.Tensor(2, 2.5).shape)
attempt("T", lambda: T.Tensor(True).shape)
attempt("T", lambda: T.Tensor(data=[1]))
attempt("T", lambda: T.Tensor(0).shape)
attempt("T", lambda: T.Tensor().shape)
attempt("tn", lambda: (T.typename(T.FloatTensor), T.typename(T.ones(1))))
attempt("new", lambda: T.ones(2).new([1, 2]))
attempt("new", lambda: T.ones(2, dtype=T.int64).new(2, 3).shape)
attempt("new", lambda: T.ones(2).new())
attempt("new", lambda: T.ones(2).new(T.ones(3)))
attempt("new", lambda: T.ones(2).new(T.ones(3).size()).shape)
attempt("new", lambda: T.ones(2).new("a"))
attempt("is_tensor", lambda: T.is_tensor(T.FloatTensor([1])))
attempt("call", lambda: T.FloatTensor(2, 3).fill_(1).normal_ is not None)
attempt("param", lambda: T.Tensor(torch.nn.Parameter(T.ones(2))))
attempt("several", lambda: T.FloatTensor([1], [2]))
attempt("several", lambda: T.FloatTensor(T.Size([2]), 3))
attempt("size", lambda: T.FloatTensor(size=(2, 3)).shape)
attempt("is_cpu", lambda: T.ones(2).is_cpu)
attempt("old", lambda: torch.nn.Parameter(T.ones(2)).data.new(1, 2).zero_())


@torch.compile
def masked(x, y):
    z = x * 2 if isinstance(y, torch.LongTensor) else x
    return z.type(torch.DoubleTensor) + y.type("torch.FloatTensor"), torch.FloatTensor([1, 2]) + x


for y in (torch.tensor([1, 2]), torch.tensor([1.0, 2.0])):
    print(masked(torch.ones(2), y), masked(torch.ones(2), y))

for kind in (T.DoubleTensor, "torch.HalfTensor", T.FloatTensor):
    T.set_default_tensor_type(kind)
    print(T.get_default_dtype(), T.tensor([1.0]).dtype, T.Tensor([1]).dtype, T.Tensor(2).dtype)
attempt("whole", lambda: T.set_default_tensor_type(T.LongTensor))
attempt("none", lambda: T.set_default_tensor_type("foo"))
attempt("dtype", lambda: T.set_default_tensor_type(T.float32))

# `Variable`, of the same age.
from torch.autograd import Variable
t, p = T.ones(2), T.ones(2, requires_grad=True)
print(Variable(t), Variable(p), Variable(p * 2), Variable(t, requires_grad=True), Variable(t) is t, Variable)
print(isinstance(t, Variable), isinstance(3, Variable), type(Variable(t)))
v = Variable(T.FloatTensor(2).fill_(1.0), requires_grad=True)
(v * 3).sum().backward()
Variable(t).add_(1)
print(v.grad, t)
attempt("list", lambda: Variable([1, 2]))
attempt("whole", lambda: Variable(t.long(), requires_grad=True))

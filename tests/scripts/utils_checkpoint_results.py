# Checkpoints of parts that give objects, dicts and lists of any class, one tensor twice, their own
# arguments, and of parts that write in place.
import collections

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([3.0, 4.0], requires_grad=True)
runs = []


class Output:
    def __init__(self, hidden, loss, name="out"):
        self.hidden, self.loss, self.name = hidden, loss, name


class Slotted:
    __slots__ = ("value", "other")

    def __init__(self, value):
        self.value, self.other = value, None


class Named(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.__dict__[key] = value


class Items(list):
    pass


class Deep:
    def __init__(self, v):
        self.parts = [Output(v * w, v + w)]
        self.me = self


Pair = collections.namedtuple("Pair", "first second")


def show(name, body):
    x.grad = w.grad = None
    runs.clear()
    try:
        body()
    except RuntimeError as error:
        print(name, type(error).__name__, str(error)[:230])
    print(name, x.grad, w.grad)


def part(make):
    def run(v):
        runs.append(1)
        return make(v)
    return run


def ordered():
    out = checkpoint(part(lambda v: collections.OrderedDict(a=v * w, b=v.exp(), n=3)), x, use_reentrant=False)
    print(type(out).__name__, list(out))
    (out["a"] * 2 + out["b"]).sum().backward()


def defaulted():
    def f(v):
        found = collections.defaultdict(list)
        found["a"].append(v * w)
        found["a"].append(v * 2)
        return found
    out = checkpoint(part(f), x, use_reentrant=False)
    print(type(out).__name__, out["missing"])
    (out["a"][0] + out["a"][1]).sum().backward()


def own_dict():
    def f(v):
        found = Named()
        found["a"] = v * w
        return found
    out = checkpoint(part(f), x, use_reentrant=False)
    print(type(out).__name__, out.a is out["a"])
    out.a.sum().backward()


def own_list():
    out = checkpoint(part(lambda v: Items([v * w, 1, v])), x, use_reentrant=False)
    print(type(out).__name__, out[2] is x)
    (out[0] + out[2]).sum().backward()


def named():
    out = checkpoint(part(lambda v: Pair(v * w, "text")), x, use_reentrant=False)
    print(type(out).__name__, out.second)
    out.first.sum().backward()


def instance():
    out = checkpoint(part(lambda v: Output(v * w, (v * w).sum())), x, use_reentrant=False)
    print(type(out).__name__, out.name)
    (out.hidden.sum() + out.loss).backward()


def slotted():
    out = checkpoint(part(lambda v: Slotted(v * w)), x, use_reentrant=False)
    out.value.sum().backward()


def deep():
    out = checkpoint(part(Deep), x, use_reentrant=False)
    print(out.me is out)
    (out.parts[0].hidden * out.parts[0].loss).sum().backward()


def twice():
    def f(v):
        y = v * w
        return y, y, [y]
    a, b, c = checkpoint(part(f), x, use_reentrant=False)
    print(a is b, b is c[0])
    (a * b).sum().backward()


def written_twice():
    def f(v):
        y = v * w
        return y, y
    a, b = checkpoint(part(f), x, use_reentrant=False)
    a.mul_(2)
    print(b)
    b.sum().backward()


def itself():
    a, b = checkpoint(part(lambda v: (v, v * w)), x, use_reentrant=False)
    print(a is x)
    (a + b).sum().backward()


def inside():
    def f(v):
        y = v * w
        y.mul_(2)
        y[0] = 5
        y += v
        y.relu_()
        return y
    checkpoint(part(f), x, use_reentrant=False).sum().backward()


def argument():
    def f(v):
        v.mul_(w)
        return v.exp()
    checkpoint(part(f), x * 1, use_reentrant=False).sum().backward()


def argument_given_back():
    def f(v):
        v.mul_(3)
        return v
    checkpoint(part(f), x * 1, use_reentrant=False).sum().backward()


def later():
    y = x * 1
    out = checkpoint(part(lambda v: v * v * w), y, use_reentrant=False)
    y.add_(1)
    out.sum().backward()


def aside():
    kept = {}
    def f(v):
        h = v * w
        kept["aux"] = (h * h).sum()
        return h.exp()
    out = checkpoint(part(f), x, use_reentrant=False)
    (out.sum() + kept["aux"]).backward()


def aside_only():
    kept = {}
    def f(v):
        kept["aux"] = (v * w * v).sum()
    out = checkpoint(part(f), x * 1, use_reentrant=False)
    print(out)
    kept["aux"].backward()


def module():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 1), nn.Tanh())
    out = checkpoint(net, x, use_reentrant=False)
    out.backward()
    print(net[0].weight.grad, net[2].bias.grad)


def result_written():
    y = checkpoint(part(lambda v: v.exp()), x, use_reentrant=False)
    y.add_(1)
    y.sum().backward()


for body in [ordered, defaulted, own_dict, own_list, named, instance, slotted, deep, twice,
             written_twice, itself, inside, argument, argument_given_back, later, aside, aside_only,
             module, result_written]:
    show(body.__name__, body)

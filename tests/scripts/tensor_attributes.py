# Attributes that a script sets on tensors: each object keeps its own.
import copy
import torch


def shown(f):
    try:
        print(f())
    except (AttributeError, TypeError) as error:
        print(type(error).__name__, str(error).split(" (")[0])


w = torch.ones(2, 3, requires_grad=True)
w.note = 1
w.tags = ["a"]
w.tags.append("b")
print(w.note, w.tags, hasattr(w, "note"), hasattr(w, "missing"), getattr(w, "missing", None))
print(vars(w), w.__dict__ is vars(w), "note" in dir(w))
w.note += 1
setattr(w, "other", w)
print(w.note, w.other is w)
del w.note
shown(lambda: w.note)
shown(lambda: w.missing)


def delete():
    del w.missing


shown(delete)
shown(lambda: delattr(w, "other"))
print(sorted(vars(w)))

# Another object on the same memory has none of them.
for other in (w.view(-1), w.detach(), w[0], w + 0, w.clone(), w.data, w.t()):
    print(hasattr(other, "tags"), vars(other))
# What gives the tensor itself keeps them.
for same in (w.contiguous(), w.requires_grad_(), w.to(torch.float32), w.float(), w.cpu()):
    print(same is w, same.tags)

# The gradient and what is written in place are the objects they were.
w.sum().backward()
w.grad.seen = "first"
w.grad.add_(1)
print(w.grad.seen, w.grad)
(w * 2).sum().backward()
print(w.grad.seen)
with torch.no_grad():
    w.mul_(2)
print(w.tags)

# Parameters, lists of them, keys.
layer = torch.nn.Linear(2, 2)
for i, p in enumerate(layer.parameters()):
    p.place = i
    p.no_decay = i == 1
print([p.place for p in layer.parameters()], layer.weight.place, layer.bias.no_decay)
decayed = [n for n, p in layer.named_parameters() if not getattr(p, "no_decay", False)]
print(decayed)
table = {layer.weight: 1}
print(next(iter(table)).place, [hasattr(p, "place") for p in torch.nn.Linear(2, 2).parameters()])
p = torch.nn.Parameter(w)
print(hasattr(p, "tags"), type(layer.weight).__name__)

# Functions are called without the tensor, as an instance's own attributes are.
w.scale = lambda factor: factor * 3
print(w.scale(2))

# Copies.
x = torch.arange(3.0)
x.parts = [1, [2]]
shallow, deep = copy.copy(x), copy.deepcopy(x)
print(shallow is x, shallow.parts is x.parts, deep.parts, deep.parts[1] is x.parts[1])
shallow[0] = 7
print(x, deep)
x.me = x
again = copy.deepcopy(x)
print(again.me is again)
q = torch.nn.Parameter(torch.ones(1))
q.note = 1
print(hasattr(copy.deepcopy(q), "note"), copy.deepcopy({"x": x})["x"].parts)

# A dict of one's own.
x.__dict__.update(first=1, second=2)
print(x.first, x.second, len(vars(x)))
x.__dict__ = {"only": 3}
print(vars(x), hasattr(x, "first"))
vars(x).clear()
print(hasattr(x, "only"))


class Holder:
    pass


# In loops and by match.
for name in ("a", "b"):
    setattr(x, name, name * 2)
match x:
    case torch.Tensor(a=first, b="bb"):
        print("matched", first)
print(x.a, x.b)

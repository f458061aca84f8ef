# Attributes of tensors in compiled functions: read with a guard, written where the region ends.
import torch


@torch.compile(backend="eager")
def scaled(x):
    return x * x.factor


x = torch.ones(2)
x.factor = 2
print(scaled(x))
print(scaled(x))
x.factor = 3
print(scaled(x))
x.factor = 4
print(scaled(x))
x.factor = 2.5
print(scaled(x))
x.factor = torch.tensor([1.0, 10.0])
print(scaled(x))
y = torch.ones(2)
try:
    scaled(y)
except AttributeError as error:
    print(error)
del x.factor
try:
    scaled(x)
except AttributeError as error:
    print(error)


@torch.compile(backend="eager")
def decayed(parameters):
    total = 0
    for p in parameters:
        if getattr(p, "no_decay", False):
            continue
        total = total + (p * p).sum()
    return total


layer = torch.nn.Linear(2, 1)
with torch.no_grad():
    layer.weight.fill_(2.0)
    layer.bias.fill_(3.0)
print(decayed(list(layer.parameters())).item())
layer.bias.no_decay = True
print(decayed(list(layer.parameters())).item())
layer.bias.no_decay = False
print(decayed(list(layer.parameters())).item())
layer.weight.no_decay = 1
print(decayed(list(layer.parameters())).item())


@torch.compile(backend="eager")
def has(x):
    return x + 1 if hasattr(x, "note") else x - 1


z = torch.zeros(2)
print(has(z))
z.note = None
print(has(z))
del z.note
print(has(z))
print(has(torch.zeros(2)))


@torch.compile(backend="eager")
def counted(x):
    x.calls = getattr(x, "calls", 0) + 1
    y = x * x.calls
    y.made = x.calls
    return y


c = torch.ones(2)
for _ in range(4):
    r = counted(c)
    print(r, r.made, c.calls)


@torch.compile(backend="eager")
def marked(x):
    y = x * 2
    setattr(y, "kind", "double")
    z = y + 1
    return y, z, hasattr(z, "kind"), hasattr(x, "gone")


for i in range(3):
    if i == 1:
        c.gone = 1
    y, z, of_z, of_x = marked(c)
    print(y.kind, z, of_z, of_x, vars(z))


@torch.compile(backend="eager")
def gathered(x):
    y = x + 1
    names = sorted(vars(x))
    return y, names, len(y.__dict__)


g = torch.ones(1)
print(gathered(g))
g.b = 1
print(gathered(g))
g.a = 1
print(gathered(g))


@torch.compile(backend="eager")
def called(x):
    return x.hook(x) + x.layer.weight


h = torch.ones(1)
h.hook = lambda t: t * 5
h.layer = torch.nn.Linear(1, 1)
with torch.no_grad():
    h.layer.weight.fill_(2.0)
print(called(h).tolist())
h.hook = lambda t: t * 6
print(called(h).tolist())


@torch.compile(backend="eager")
def handed_on(x):
    return x.contiguous(), x.view(-1)


k = torch.ones(2)
k.tag = "kept"
for _ in range(2):
    a, b = handed_on(k)
    print(a is k, a.tag, hasattr(b, "tag"))


@torch.compile(backend="eager")
def matched(x):
    match x:
        case torch.Tensor(level=1):
            return x + 1
        case _:
            return x


m = torch.zeros(1)
print(matched(m))
m.level = 1
print(matched(m))
m.level = 2
print(matched(m))

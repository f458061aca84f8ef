# Views that are made without grad mode, of what requires a gradient: they say that they require
# one too, and none flows through them.
import copy

import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def history(x):
    try:
        return None if x.grad_fn is None else type(x.grad_fn).__name__
    except RuntimeError:
        return "nobody knows"


def show(what, x):
    print(what, x.requires_grad, history(x), x._is_view(), str(x).replace("\n", ""))


VIEWS = {
    "item": lambda x: x[0],
    "slice": lambda x: x[:, 1:],
    "ellipsis": lambda x: x[...],
    "new axis": lambda x: x[None],
    "element": lambda x: x[0, 1],
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "t": lambda x: x.t(),
    "transpose": lambda x: x.transpose(0, 1),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "movedim": lambda x: x.movedim(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "view": lambda x: x.view(-1),
    "view_as": lambda x: x.view_as(x),
    "reshape": lambda x: x.reshape(4),
    "flatten": lambda x: x.flatten(),
    "ravel": lambda x: x.ravel(),
    "unflatten": lambda x: x.unflatten(0, (2, 1)),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand": lambda x: x.expand(3, 2, 2),
    "expand_as": lambda x: x.expand_as(torch.ones(2, 2, 2)),
    "broadcast_to": lambda x: torch.broadcast_to(x, (2, 2)),
    "narrow": lambda x: x.narrow(0, 0, 1),
    "select": lambda x: x.select(0, 0),
    "diagonal": lambda x: x.diagonal(),
    "unfold": lambda x: x.unfold(0, 1, 1),
    "as_strided": lambda x: x.as_strided((2,), (1,)),
    "unbind": lambda x: x.unbind()[0],
    "chunk": lambda x: x.chunk(2)[1],
    "split": lambda x: x.split(1)[0],
    "list": lambda x: list(x)[0],
    "view of a view": lambda x: x.t()[0].unsqueeze(0),
    "detach": lambda x: x.detach(),
    "data": lambda x: x.data,
    "view of data": lambda x: x.data[0],
    "gathered": lambda x: x[[0]],
    "clone": lambda x: x.clone(),
    "contiguous": lambda x: x.contiguous(),
    "copied": lambda x: x.t().reshape(4),
    "to": lambda x: x.to(torch.float32),
    "computed": lambda x: x * 2,
}

w = torch.ones(2, 2, requires_grad=True)
h = w * 1
plain = torch.ones(2, 2)
for what, view in VIEWS.items():
    for mode in (torch.no_grad, torch.inference_mode):
        for x in (w, h, plain):
            with mode():
                made = view(x)
                print(what, made.requires_grad, made.is_leaf, made.grad_fn is None, made is x,
                      "requires_grad=True" in str(made))

# Outside the block: nothing flows.
for base in (w, h):
    with torch.no_grad():
        v = base[0]
    show("outside", v)
    y = v * 3
    show("computed", y)
    print(y.grad_fn.next_functions)
    y.sum().backward()
    print(w.grad, v.grad)
    attempt("root", lambda: v[0].backward())
    attempt("root", lambda: base.detach()[0, 0].backward())
    with torch.no_grad():
        element = base[0, 0]
    attempt("root", lambda: element.backward())
    attempt("grad", lambda: torch.autograd.grad((v * w[0]).sum(), v))
    attempt("allowed", lambda: torch.autograd.grad((v * w[0]).sum(), v, allow_unused=True))
    (v * w[1]).sum().backward()
    print(w.grad)
    w.grad = None

# Writes.
with torch.no_grad():
    v = w.view(-1)
attempt("written", lambda: v.mul_(2))
attempt("item written", lambda: v.__setitem__(0, 5.0))
attempt("view of it written", lambda: v[0].mul_(2))
attempt("added to", lambda: v.add_(w.view(-1)))
with torch.no_grad():
    u = v[:2]
attempt("view of it, without grad mode", lambda: u.zero_())
with torch.inference_mode():
    i = w.view(-1)
    print(i.is_inference(), i.requires_grad)
attempt("made in inference mode", lambda: i.mul_(2))
attempt("view of that", lambda: i[0].mul_(2))
print(w)
with torch.no_grad():
    p = plain[0]
p.mul_(2)
attempt("with what is recorded", lambda: p.mul_(w[0]))
print(plain)

# The memory is written while a view is there.
for write in (lambda x, v: x.mul_(2), lambda x, v: v.sub_(1), lambda x, v: x[1].zero_()):
    x = torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        v = x[0]
        write(x, v)
        show("written inside", v)
        print(v * 1, v.sum().item(), v[0].item())
        v.add_(1)
    show("outside", v)
    attempt("leaf", lambda: v.is_leaf)
    attempt("used", lambda: v * 2)
    attempt("compared", lambda: v > 1)
    attempt("detached", lambda: v.detach() * 2)
    attempt("written", lambda: v.mul_(2))
    attempt("copied", lambda: copy.deepcopy(v))
    attempt("hook", lambda: v.register_hook(print))
    attempt("backward", lambda: v.sum().backward())
    print(x.requires_grad, x)
x = torch.ones(3, requires_grad=True)
y = x * 2
with torch.no_grad():
    v = y[:2]
y.mul_(3)
show("of what is recorded", v)
attempt("used", lambda: v * 2)
attempt("seen", lambda: v[0])
y.sum().backward()
print(x.grad)
x = torch.ones(3, requires_grad=True)
with torch.no_grad():
    v = x[:2]
u = v[0]
show("view of it", u)
with torch.no_grad():
    x.mul_(2)
show("after a write", u)
attempt("used", lambda: u * 2)
x = torch.ones(3, requires_grad=True)
with torch.no_grad():
    v = x[:2]
x.data.mul_(2)
show("written through data", v)
attempt("used", lambda: v * 2)
with torch.no_grad():
    v = x[:2]
    x.add_(1)
    v = x[:2]
show("made again", v)

# What follows from requiring a gradient.
w = torch.ones(3, requires_grad=True)
with torch.no_grad():
    v = w[:2]
show("requires_grad_(False)", v.requires_grad_(False))
show("deepcopy", copy.deepcopy(v))
show("copy", copy.copy(v))
show("parameter", torch.nn.Parameter(v))
show("parameter", torch.nn.Parameter(v, requires_grad=False))
show("clone", v.clone())
show("detach", v.detach())
print(v.tolist(), v[0].item())
attempt("detach_", lambda: v.detach_())
attempt("resize_", lambda: v.resize_(1))
attempt("retain_grad", lambda: v.retain_grad())
handle = v.register_hook(lambda g: print("hook", g))
v.grad = torch.zeros(2)
show("requires_grad_(True)", v.requires_grad_(True))
(v * 2).sum().backward()
print(v.grad, w.grad)
show("requires_grad_(False)", v.requires_grad_(False))
w.requires_grad_(False)
show("its base no longer does", v)
v.mul_(2)
print(w)
v.data = torch.zeros(2)
show("other memory", v)

# A base that begins to require a gradient when the view is there.
x = torch.zeros(3)
v = x[:2]
x.requires_grad_()
show("late", v)
show("late, seen again", v[0])
attempt("late, written", lambda: v.mul_(2))
with torch.no_grad():
    x.add_(1)
show("late, base written", v)
(v * 3).sum().backward()
print(x.grad)

# Steps by hand.
w = torch.ones(4, requires_grad=True)
for _ in range(3):
    (w * w).sum().backward()
    with torch.no_grad():
        w.view(2, 2)[0] -= 0.1 * w.grad[:2]
        w[2:] -= 0.2 * w.grad[2:]
        w.view(-1).sub_(0.01)
        for part, gradient in zip(w.split(2), w.grad.split(2)):
            part.sub_(gradient, alpha=0.1)
        w.grad.zero_()
print(w.detach())
model = torch.nn.Linear(3, 2)
with torch.no_grad():
    for parameter in model.parameters():
        flat = parameter.view(-1)
        flat.copy_(torch.arange(flat.numel()) / 10)
        parameter[0] = parameter[0] * 2
print(model.weight, model.bias)
model(torch.ones(3)).sum().backward()
print(model.weight.grad)


class Parts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        first, whole = x[:1], x
        ctx.mark_non_differentiable(whole)
        return x * 2, whole

    @staticmethod
    def backward(ctx, gradient, _):
        return gradient * 2


doubled, given = Parts.apply(torch.ones(2, requires_grad=True))
print(doubled.requires_grad, given.requires_grad, given.is_leaf)

# tolerance: 1e-5
# Inference mode: what is made in it is marked, is written there alone, and is saved by no node.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


w = torch.ones(3, requires_grad=True)
n = torch.ones(3)
print(torch.is_inference_mode_enabled(), w.is_inference(), torch.is_inference(n))
with torch.inference_mode():
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
    d = w * 2
    view = n[1:]
    history = (w * 1).view(3)
    made = torch.zeros(2)
    asked = torch.ones(2, requires_grad=True)
    print(d.is_inference(), view.is_inference(), made.is_inference(), d[0].is_inference())
    print(d.requires_grad, d.is_leaf, d.grad_fn, asked.requires_grad, asked.is_inference())
    d.add_(1)
    n.mul_(2)
    attempt("requires_grad_", lambda: torch.ones(1).requires_grad_().requires_grad)
    with torch.enable_grad():
        print(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (w * 2).requires_grad)
    with torch.no_grad():
        print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
    with torch.inference_mode(False):
        inner = w * 3
        print(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), inner.requires_grad,
              inner.is_inference())
    print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
    attempt("backward", lambda: (w * 2).sum().backward())
    attempt("version", lambda: d._version)
print(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), n, n._version)

# Outside.
attempt("saved", lambda: (d * w).sum())
attempt("saved by matmul", lambda: w @ d)
attempt("saved by where", lambda: torch.where(d > 0, w, d))
attempt("not saved", lambda: (d + w).sum())
attempt("plain", lambda: (d * 2, (d * 2).is_inference()))
attempt("clone", lambda: (d.clone() * w, d.clone().is_inference()))
attempt("detach", lambda: d.detach().is_inference())
attempt("view", lambda: d.view(3, 1).is_inference())
attempt("add_", lambda: d.add_(1))
attempt("after add_", lambda: d)
attempt("item", lambda: d.__setitem__(0, 5.0))
attempt("after item", lambda: d)
attempt("fill_", lambda: made.fill_(2))
attempt("zero_ of a view", lambda: d[1:].zero_())
attempt("normal_", lambda: made.normal_())
attempt("copy_", lambda: d.copy_(n))
attempt("into a normal one", lambda: torch.zeros(3).copy_(d))
attempt("out", lambda: torch.add(n, 1, out=d))
attempt("mul_ by what is recorded", lambda: d.mul_(w))
attempt("add_ of what is recorded", lambda: d.add_(w))
attempt("requires_grad_", lambda: d.requires_grad_())
attempt("requires_grad", lambda: setattr(d, "requires_grad", True))
attempt("requires_grad_(False)", lambda: d.requires_grad_(False).requires_grad)
attempt("version", lambda: d._version)
attempt("parameter", lambda: torch.nn.Parameter(d))
attempt("view made in the mode", lambda: view.add_(1))
attempt("and recorded", lambda: view.mul_(w[1:]))
with torch.no_grad():
    attempt("no_grad", lambda: d.add_(1))
with torch.inference_mode():
    attempt("in the mode again", lambda: d.add_(1))
base = w * 1
with torch.inference_mode():
    part = base[1:]
    print(part.is_inference(), part.requires_grad)
attempt("view of a recorded one", lambda: part.mul_(2))


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0], None


attempt("own function", lambda: Double.apply(w, d))
with torch.inference_mode():
    attempt("own function in the mode", lambda: Double.apply(w, d).requires_grad)


# As a decorator, of functions and of modules' forward; and across training.
@torch.inference_mode()
def predict(x):
    return x * w


@torch.inference_mode
def predict_bare(x):
    return x * w


print(predict(n).is_inference(), predict_bare(n).is_inference(), predict.__name__)
model = torch.nn.Linear(3, 1)
with torch.no_grad():
    model.weight.fill_(0.5)
    model.bias.fill_(0.25)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    optimizer.zero_grad()
    loss = (model(n) ** 2).mean()
    loss.backward()
    optimizer.step()
    with torch.inference_mode():
        score = model(n)
    print(f"{loss.item():.5f} {score.item():.5f} {score.is_inference()}")
with torch.inference_mode():
    features = model(n)
attempt("training on features", lambda: torch.nn.Linear(1, 1)(features).sum().backward())


# Compiled.
@torch.compile(backend="eager")
def doubled(x):
    return x * 2


for _ in range(2):
    print(doubled(n).is_inference())
    with torch.inference_mode():
        print(doubled(n).is_inference(), doubled(d).is_inference())
    print(doubled(n).is_inference(), doubled(d).is_inference())


@torch.compile(backend="eager")
def weighted(x):
    return x * w


for _ in range(2):
    print(weighted(n).requires_grad)
    with torch.inference_mode():
        print(weighted(n).requires_grad, weighted(n).is_inference())
    attempt("weighted", lambda: weighted(d))


def mixed(x):
    with torch.inference_mode():
        inside = x * 2
    return inside, inside + 1, inside[0]


compiled = torch.compile(mixed, backend="eager")
for function in (mixed, compiled, compiled):
    print([each.is_inference() for each in function(n)])


def written(x):
    with torch.inference_mode():
        inside = x * 2
    inside.add_(1)
    return inside


compiled = torch.compile(written, backend="eager")
for function in (written, compiled, compiled):
    attempt("written", lambda: function(n))


@torch.compile(backend="eager")
def write(x):
    x.add_(1)
    return x * 2


for _ in range(2):
    print(write(torch.ones(3)))
    attempt("write", lambda: write(d.clone()))
    attempt("write", lambda: write(d))
    with torch.inference_mode():
        print(write(d).is_inference())
print(d)

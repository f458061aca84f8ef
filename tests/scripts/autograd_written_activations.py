# tolerance: 1e-4
# Activations in place: their gradients read the result, so that it may not be written again; nor is
# there one where the result does not say on which side of 0 the input was.
import torch
import torch.nn.functional as F

FORMS = {
    "elu": lambda y: F.elu_(y),
    "elu 1.5": lambda y: F.elu(y, 1.5, inplace=True),
    "elu 0": lambda y: F.elu_(y, 0.0),
    "elu -0.5": lambda y: F.elu_(y, -0.5),
    "selu": lambda y: F.selu_(y),
    "torch.selu": lambda y: torch.selu_(y),
    "celu": lambda y: F.celu_(y),
    "celu 2": lambda y: F.celu(y, 2.0, inplace=True),
    "celu -0.5": lambda y: F.celu_(y, -0.5),
    "leaky_relu": lambda y: F.leaky_relu_(y, 0.1),
    "leaky_relu 0": lambda y: F.leaky_relu_(y, 0.0),
    "leaky_relu -0.1": lambda y: F.leaky_relu_(y, -0.1),
    "threshold": lambda y: F.threshold_(y, 0.5, -1.0),
    "hardtanh": lambda y: F.hardtanh_(y),
    "silu": lambda y: F.silu(y, inplace=True),
    "mish": lambda y: F.mish(y, inplace=True),
}


def part(form, w, again):
    y = w * 1.0
    form(y)
    if again:
        y.mul_(2)
    return y


def rounded(tensor):
    return [round(number, 4) for number in tensor.tolist()]


def attempt(name, form, again=False, twice=False):
    w = torch.tensor([-2.0, -0.3, 0.4, 1.0, -0.9], requires_grad=True)
    try:
        y = part(form, w, again)
        print(name, y.grad_fn.name())
        if twice:
            first, = torch.autograd.grad((y * y).sum(), w, create_graph=True)
            second, = torch.autograd.grad((first * first).sum(), w)
            print(name, rounded(first), rounded(second))
        else:
            y.sum().backward()
            print(name, rounded(w.grad))
    except RuntimeError as error:
        print(name, str(error).split(" Hint")[0])


for name, form in FORMS.items():
    attempt(name, form)
    attempt(name, form, again=True)
    attempt(name, form, twice=True)

# Out of place they keep their input, and the result may be written.
for form in (F.elu, F.selu, F.celu, F.leaky_relu):
    attempt(form.__name__, lambda y: form(y).mul_(2))
    w = torch.tensor([-2.0, 0.5], requires_grad=True)
    x = w * 1
    y = form(x)
    y.mul_(3).sum().backward()
    print(w.grad)
    y = form(x)
    x.add_(1)
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(str(error).split(" Hint")[0])

# A result that a gradient rule reads: written in place and then once more, it is not what it was.
import warnings

import torch

warnings.simplefilter("ignore")  # under torch.compile, where the call was made

NAMES = ("relu_", "sigmoid_", "tanh_", "exp_", "exp2_", "expm1_", "sqrt_", "rsqrt_",
         "reciprocal_", "tan_")


def attempt(what, run):
    w = torch.tensor([0.5, 1.0, 1.25], requires_grad=True)
    try:
        run(w).sum().backward()
        print(what, w.grad)
    except RuntimeError as error:
        print(what, "->", str(error).split(". Hint")[0])


def written_once(name):
    def run(w):
        y = w * 0.5
        getattr(y, name)()
        return y
    return run


def written_twice(name):
    def run(w):
        y = w * 0.5
        getattr(y, name)()
        y.mul_(2)
        return y
    return run


def part_written(name):
    def run(w):
        y = w * 0.5
        getattr(y, name)()
        y.view(-1)[1:].mul_(2)
        return y
    return run


def view_written_twice(name):
    def run(w):
        y = w * 0.5
        part = y[1:]
        getattr(part, name)()
        part.mul_(2)
        return y
    return run


def view_then_base(name):
    def run(w):
        y = w * 0.5
        getattr(y[1:], name)()
        y.mul_(2)
        return y
    return run


def view_once(name):
    def run(w):
        y = w * 0.5
        getattr(y[1:], name)()
        return y
    return run


for name in NAMES:
    for how in (written_once, written_twice, part_written, view_written_twice, view_then_base,
                view_once):
        attempt(f"{name} {how.__name__}", how(name))


def zeroed(w):
    y = w * 2
    y.relu_()
    y.zero_()
    return y + w


def filled(w):
    y = (w * 2).exp()
    y.fill_(3.0)
    return y + w


attempt("zeroed", zeroed)
attempt("filled", filled)


def twice_differentiated(w):
    y = w * 1
    y.tanh_()
    first, = torch.autograd.grad(y.sum(), w, create_graph=True)
    return first * first


attempt("twice differentiated", twice_differentiated)


def without_the_tape(w):
    y = w * 1
    y.sigmoid_()
    with torch.no_grad():
        y.zero_()
    return y


attempt("without the tape", without_the_tape)


@torch.compile(backend="aot_eager")
def compiled(w, twice):
    y = w * 0.5
    y.relu_()
    if twice:
        y[1:].mul_(2)
    y.sum().backward()


def attempt_compiled(twice):
    w = torch.tensor([0.5, -1.0, 1.25], requires_grad=True)
    try:
        compiled(w, twice)
        print("compiled", twice, w.grad)
    except RuntimeError as error:
        print("compiled", twice, "->", str(error).split("RuntimeError: ")[-1].split(". Hint")[0])


for i in range(3):
    attempt_compiled(False)
    attempt_compiled(True)

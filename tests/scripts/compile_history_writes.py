# tolerance: 1e-6
# Writes under gradients where views are held, derivatives that must fail, histories behind a region.
import torch


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="eager")


def saved_then_written(w):
    y = w * 1
    z = y * y
    y *= 2
    return z.sum()


def saved_part_then_written(w):
    y = w * 1
    a = y[0]
    z = a * a
    y *= 2
    return z.sum()


for function in (saved_then_written, saved_part_then_written):
    for form in (function, compiled(function)):
        for _ in range(2):
            try:
                form(torch.ones(2, requires_grad=True)).backward()
            except RuntimeError as error:
                print(str(error)[:90])


def base_written(x):
    y = x * 3
    v = y.view(-1)
    y.relu_()
    return v


def part_held(x):
    y = x * 3
    v = y[0]
    y.mul_(2)
    return v * v


def transposed_held(x):
    y = (x * 3).reshape(1, 2)
    v = y.t()
    y.mul_(2)
    return (v @ y).sum(0)


def detached_held(x):
    y = x * 3
    v = y.detach()
    y.mul_(2)
    return y * v


for function in (base_written, part_held, transposed_held, detached_held):
    form = compiled(function)
    for start in (1.0, 2.0):
        x = torch.tensor([start, -2.0], requires_grad=True)
        form(x).sum().backward()
        print(function.__name__, x.grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * x
h.sum().backward()
w = torch.tensor([3.0, 4.0], requires_grad=True)
out = compiled(lambda h, w: (h * w).sum())(h, w)
print(torch.autograd.grad(out, [w]))


def drawn_behind_a_break(x):
    y = x * 1.5
    print(end="")
    y.normal_()
    return y.detach()


def drawn_behind_a_view(x):
    y = x * 1.5
    y.unsqueeze_(0)
    y.bernoulli_()
    return y.detach()


for function in (drawn_behind_a_break, drawn_behind_a_view):
    for form in (function, compiled(function)):
        torch.manual_seed(1)
        print(form(torch.ones(3, requires_grad=True)), torch.rand(1))


def written_behind_the_region(x):
    y = x * 1.5
    y[0] = 1
    z = y * 2
    z.clamp_(0.5)
    y.mul_(2)
    return z


for form in (written_behind_the_region, compiled(written_behind_the_region)):
    for _ in range(2):
        x = torch.ones(2, 3, requires_grad=True)
        form(x).sum().backward()
        print(x.grad)

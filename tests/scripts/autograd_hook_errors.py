# What a hook must not give, and what an optimiser shares with the state that it was given.
import torch


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


def hooked(hook):
    w = torch.ones(3, requires_grad=True)
    w.register_hook(hook)

    def run():
        (w * w).sum().backward()
        return w.grad

    return run


def shorter(g):
    return g[:1]


class Wider:
    def __call__(self, g):
        return g.double()


attempt(hooked(lambda g: g[:1]))
attempt(hooked(shorter))
attempt(hooked(lambda g: 3))
attempt(hooked(lambda g: "text"))
attempt(hooked(lambda g: g.double()))
attempt(hooked(Wider()))
attempt(hooked(lambda g: g > 0))
attempt(hooked(lambda g: g * 2))
attempt(hooked(lambda g: None))


def between(hook):
    w = torch.ones(2, 3, requires_grad=True)
    y = w * 2
    y.register_hook(hook)

    def run():
        y.sum().backward()
        return w.grad

    return run


attempt(between(lambda g: g.sum(0)))
attempt(between(lambda g: g.t()))
attempt(between(lambda g: g * 3))


def accumulated(hook):
    w = torch.ones(3, requires_grad=True)
    w.register_post_accumulate_grad_hook(hook)

    def run():
        (w * w).sum().backward()
        return w.grad

    return run


attempt(accumulated(lambda p: p))
attempt(accumulated(lambda p: None))

p = torch.ones(2, requires_grad=True)
q = torch.ones(2, requires_grad=True)
first = torch.optim.SGD([p], lr=0.1, momentum=0.9)
second = torch.optim.SGD([q], lr=0.1, momentum=0.9)
p.grad = torch.ones(2)
q.grad = torch.ones(2)
first.step()
second.load_state_dict(first.state_dict())
second.step()
first.step()
print(p, q)
wide = torch.ones(2, requires_grad=True, dtype=torch.float64)
third = torch.optim.SGD([wide], lr=0.1, momentum=0.9)
third.load_state_dict(first.state_dict())
print(third.state[wide]["momentum_buffer"])

# Hooks before and behind an optimiser's steps.
import torch
from torch import optim

w = torch.ones(2, requires_grad=True)
opt = optim.SGD([w], lr=0.1)


def step(optimizer=opt, *args, **kwargs):
    w.grad = torch.ones(2)
    return optimizer.step(*args, **kwargs)


def before(optimizer, args, kwargs):
    print("before", optimizer is opt, len(args), list(kwargs), torch.is_grad_enabled())


def behind(optimizer, args, kwargs):
    print("behind", optimizer.param_groups[0]["lr"], w.detach())


first = opt.register_step_pre_hook(before)
second = opt.register_step_post_hook(behind)
step()
print(step(opt, lambda: 3), step(opt, closure=lambda: 4))
first.remove()
first.remove()
step()
with opt.register_step_post_hook(lambda *given: print("behind too")):
    step()
step()
second.remove()
step()
print(len(opt._optimizer_step_pre_hooks), len(opt._optimizer_step_post_hooks))

# A hook may give other arguments, and change what the step reads.
handle = opt.register_step_pre_hook(lambda optimizer, args, kwargs: ((args[0],), {"closure": lambda: 7}))
print(step())
handle.remove()
handle = opt.register_step_pre_hook(lambda optimizer, args, kwargs: 3)
try:
    step()
except RuntimeError as error:
    print(str(error)[-60:])
handle.remove()


def clip(optimizer, args, kwargs):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad.mul_(0.5)


opt.register_step_pre_hook(clip)
other = optim.SGD([w], lr=0.5, momentum=0.9)
adam = optim.Adam([w], lr=0.1)
adam.register_step_post_hook(lambda optimizer, args, kwargs: print("adam", w.detach()))
step()
print(w.detach())
step(other)
print(w.detach())
step(adam)


class Slow(optim.SGD):
    def step(self, closure=None):
        print("slow")
        return super().step(closure)


slow = Slow([w], lr=0.1)
slow.register_step_post_hook(behind)
step(slow)


@torch.compile(backend="eager")
def train(x):
    opt.zero_grad()
    ((w - x) ** 2).sum().backward()
    opt.step()
    return w.sum()


count = []
opt.register_step_post_hook(lambda *given: count.append(1))
for _ in range(3):
    print(train(torch.zeros(2)).item(), len(count))

# What a region must not take for granted: the kind of the least of several numbers, and the mode in
# which a view was made.
import torch


def branch(x, r):
    m = max(0, r)
    return x * m + 100 if isinstance(m, int) else x * m


def kind(x, r):
    return x * r, isinstance(min(2, r), int)


x = torch.ones(3)
for run in (branch, kind):
    for r in (0.5, -3.0, 2.5, 0.25, 7.0):
        print(run(x, r))


def flat(x):
    return x.view(-1)


f = torch.compile(flat, backend="eager")
for run in (flat, f):
    for quiet in (False, True, False):
        with torch.set_grad_enabled(not quiet):
            view = run(torch.ones(2, 2))
        try:
            view.add_(torch.ones(4, requires_grad=True))
            print(view.requires_grad)
        except RuntimeError as error:
            print(str(error)[:44])

y = torch.arange(9.0)
try:
    print(torch.lerp(y[:8], y[:8], 0.3, out=y[1:]))
except RuntimeError as error:
    print(str(error)[:60])
torch.manual_seed(0)
print(torch.normal(0.0, torch.ones(3) * 2, out=torch.empty(0)).shape)
print(torch.normal(torch.zeros(3), torch.ones(3) * 2, out=torch.empty(0)).shape)

# Writes through `.data` and its views are counted apart: what was kept of the tensor before may
# still go backward, with what lies in the memory now.
import torch


def attempt(what):
    try:
        print(what())
    except RuntimeError as error:
        print(str(error)[:80])


w = torch.ones(3, requires_grad=True)
y = w * w
w.data.mul_(2)
print(w._version, w.data._version)
y.sum().backward()
print(w.grad, w)

data = w.data
part = data[1:]
part.add_(1)
data[0] = 7
print(data._version, part._version, w._version, w)

v = torch.full((2, 2), 3.0, requires_grad=True)
z = (v * v).sum()
v.detach().mul_(2)
print(v._version)
attempt(lambda: (z.backward(), v.grad))

# The alias itself is kept like any tensor.
u = torch.ones(3, requires_grad=True)
kept = u.data
out = (u * kept).sum()
kept.mul_(2)
print(u._version, kept._version)
attempt(lambda: (out.backward(), u.grad))


@torch.compile(backend="eager")
def writes(x, data):
    data.mul_(2)
    return x + data


for i in range(3):
    p = torch.full((3,), float(i), requires_grad=True)
    q = p * p
    data = p.data
    print(writes(torch.ones(3), data), p._version, data._version)
    q.sum().backward()
    print(p.grad)


def descend(p):
    loss = (p * p).sum()
    loss.backward(retain_graph=True)
    p.data -= 0.1 * p.grad
    p.grad.data.zero_()
    loss.backward()
    return loss


for function in (descend, torch.compile(descend, backend="eager")):
    p = torch.ones(2, requires_grad=True)
    for i in range(3):
        print(function(p).item(), p, p.grad)
